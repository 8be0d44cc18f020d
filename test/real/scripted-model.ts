/**
 * A model on loopback that says what the test scripted, and remembers every request word for word. The dialects
 * (`openai.ts`, `anthropic.ts`) translate between a vendor's wire format and the steps below.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** One answer of the model. */
export interface Step {
  say?: string;
  think?: string;
  calls?: { name: string; input: unknown; id?: string }[];
  /** Answer with this HTTP status instead. */
  status?: number;
  /** Wait before answering; a test can kill the program meanwhile. */
  delayMs?: number;
  usage?: { input: number; output: number };
}

/**
 * The script of a turn stands in its prompt: `Do it SCRIPT[{"say":"Looking."},{"say":"Done."}]`. The k-th model call
 * after that prompt gets step k, so the server needs no state and a resumed session can go on with it.
 */
export const scripted = (prompt: string, ...steps: Step[]): string =>
  `${prompt} SCRIPT${JSON.stringify(steps)}`;

export function stepFor(prompt: string, answersSoFar: number): Step | undefined {
  // From the back; a script inside a script (a sub-agent's prompt) is escaped there, and does not parse.
  for (let at = prompt.lastIndexOf("SCRIPT["); at >= 0; at = prompt.lastIndexOf("SCRIPT[", at - 1)) {
    const steps = parseLeadingArray(prompt.slice(at + "SCRIPT".length));
    if (steps) return steps[answersSoFar] as Step | undefined;
    if (at === 0) break;
  }
  return undefined;
}

/** The JSON array at the start of a text that goes on after it (programs append reminders to prompts). */
function parseLeadingArray(text: string): unknown[] | undefined {
  for (let end = text.indexOf("]"); end >= 0; end = text.indexOf("]", end + 1)) {
    try {
      return JSON.parse(text.slice(0, end + 1));
    } catch {
      // not yet the closing bracket of the whole array
    }
  }
  return undefined;
}

export interface ModelRequest {
  readonly path: string;
  // biome-ignore lint/suspicious/noExplicitAny: a wire format is whatever the vendor's program sends
  readonly body: any;
  readonly headers: IncomingMessage["headers"];
}

export interface Dialect {
  /** Answers one request; `number` counts requests from 1 and makes ids unique. */
  respond(request: ModelRequest, response: ServerResponse, number: number): Promise<void>;
}

export interface ScriptedModel {
  readonly url: string;
  readonly requests: readonly ModelRequest[];
  /** Forgets the requests so far. */
  clear(): void;
  close(): Promise<void>;
}

export async function startModel(dialect: Dialect): Promise<ScriptedModel> {
  const requests: ModelRequest[] = [];
  let number = 0;
  const server = createServer(async (incoming, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of incoming) pieces.push(piece as Buffer);
    const text = Buffer.concat(pieces).toString("utf8");
    const request: ModelRequest = {
      path: (incoming.url ?? "/").split("?")[0] ?? "/",
      body: text === "" ? undefined : JSON.parse(text),
      headers: incoming.headers,
    };
    requests.push(request);
    await dialect.respond(request, response, ++number);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    clear: () => {
      requests.length = 0;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
