/** Serves MCP over HTTP to this machine alone, and only to those who send the token. */
import { createHmac } from "node:crypto";
import { createMcpHandler } from "@modelcontextprotocol/server";
import type { AppConfig } from "../app/config.ts";
import { servingPlaces } from "../app/serving.ts";
import { AppError } from "../model/errors.ts";
import { memberOf } from "../model/values/member.ts";
import { listen } from "../platform/http/listen.ts";
import { checkHost, checkTarget } from "../server/access.ts";
import { createAdmission, notSignedIn } from "../server/admission.ts";
import { toBinding } from "../server/binding.ts";
import { failureAnswer, isDefect } from "../server/failure-answer.ts";
import { secured } from "../server/headers.ts";
import { createLimits } from "../server/limits.ts";
import { openServerFiles } from "../server/running-server.ts";
import { createSignIn } from "../server/sign-in.ts";
import type { McpParts } from "./call-tool.ts";
import { createMcpServer } from "./server.ts";

export interface McpHttpOptions {
  readonly parts: McpParts;
  readonly config: AppConfig;
  /** 0 takes one that is free. */
  readonly port: number;
  /** A defect, for the terminal. */
  report(error: unknown): void;
}

export interface ServedMcp {
  readonly url: string;
  readonly port: number;
  /** Stays the same from run to run, as an agent has it in its settings. */
  readonly token: string;
  readonly pid: number;
  stop(): Promise<void>;
}

const PATH = "/mcp";
const LARGEST_BODY = 1 << 20;
/** So long answers that are under way may take once it stops. */
const GRACE_MS = 10_000;

export async function serveMcpHttp({ parts, config, port, report }: McpHttpOptions): Promise<ServedMcp> {
  const { app } = parts;
  const binding = toBinding(undefined, undefined, config.folder);
  const key = openServerFiles(servingPlaces(config, app).dataFolder, "mcp").cookieKey();
  const token = createHmac("sha256", key).update("the token of mcp").digest("base64url");
  const signIn = createSignIn({ now: config.now, key, port, isSecure: false, token });
  const { admit } = createAdmission({
    served: binding.served,
    signIn,
    limits: createLimits(),
    advice: SEND_TOKEN,
  });
  const handler = createMcpHandler(() => createMcpServer(parts), {
    maxRequestBodySize: LARGEST_BODY,
    onerror: report,
  });
  const answer = async (request: Request, target: string): Promise<Response> => {
    checkTarget(target);
    checkHost(binding.served, request.headers);
    // Cookies are for pages, and there are none here.
    if (admit(request, false) !== "token") throw notSignedIn("The request has no token", SEND_TOKEN);
    if (new URL(request.url).pathname !== PATH) throw noSuchPath();
    return handler.fetch(request);
  };
  const listening = await listen({
    ...binding,
    port,
    async fetch(request, { target }) {
      try {
        return secured(await answer(request, target));
      } catch (error) {
        if (isDefect(error)) report(error);
        return secured(failureAnswer(inOurWords(error), app.demo !== undefined));
      }
    },
  });
  return {
    url: `${binding.baseAt(listening.port)}${PATH}`,
    port: listening.port,
    token,
    pid: process.pid,
    async stop() {
      parts.catchingUp.close();
      const closed = listening.close(GRACE_MS);
      await handler.close();
      await closed;
    },
  };
}

const SEND_TOKEN = "Send the token that `rethread mcp --http` prints as `Authorization: Bearer`";

/** What checks it is shared with the server of the web app, and speaks of that. */
const HINTS: Readonly<Record<string, string>> = {
  "not-signed-in": SEND_TOKEN,
  "host-refused": "Use the address that `rethread mcp --http` printed",
  "origin-refused": "Ask from a program; pages are not served here",
};

function inOurWords(error: unknown): unknown {
  const hint = error instanceof AppError ? memberOf(HINTS, error.code) : undefined;
  return error instanceof AppError && hint !== undefined
    ? new AppError(error.code, error.message, hint, error)
    : error;
}

const noSuchPath = (): AppError =>
  new AppError("route-not-found", "There is nothing at this address", `MCP is served at ${PATH}`);
