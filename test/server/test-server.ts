/** A server on the demo's sessions, and requests to it that are sent exactly as they are written. */

import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { type IncomingHttpHeaders, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createApp } from "../../src/app/app.ts";
import { type Config, toConfig } from "../../src/app/config.ts";
import type { App } from "../../src/app/contract.ts";
import { createClient, type RethreadClient } from "../../src/client/client.ts";
import { type Served, type ServeOptions, serve } from "../../src/server/serve.ts";
import { builtSelf } from "../built.ts";
import { SCRIPTED_COPILOT } from "../scripted-copilot.ts";

export interface Ask {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Without the token that is sent otherwise. */
  readonly bare?: boolean;
}

export interface Answered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** Of an error, its code. */
  readonly code: string | undefined;
  json<T = Record<string, unknown>>(): T;
}

export interface TestServer extends Served {
  readonly app: App;
  readonly config: Config;
  readonly folder: string;
  readonly client: RethreadClient;
  readonly notes: string[];
  ask(path: string, ask?: Ask): Promise<Answered>;
  post(path: string, body: unknown, ask?: Ask): Promise<Answered>;
  stop(): Promise<void>;
}

export interface TestServerOptions {
  readonly isReadOnly?: boolean;
  readonly folder?: string;
  readonly port?: number;
  readonly timeouts?: ServeOptions["timeouts"];
}

/** `folder` is removed by `stop`, unless the caller brought it. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const folder = options.folder ?? realpathSync(mkdtempSync(join(tmpdir(), "rethread-server-")));
  writeFileSync(join(folder, "copilot"), SCRIPTED_COPILOT, { mode: 0o755 });
  const config = toConfig(
    { demo: "on" },
    {
      vars: { RETHREAD_HOME: join(folder, "data"), PATH: `${folder}:${process.env.PATH}` },
      platform: process.platform,
      homeDir: join(folder, "home"),
      folder,
      stdout: {},
      stderr: {},
      self: builtSelf(),
      now: () => new Date(),
    },
  );
  const app = await createApp(config);
  const notes: string[] = [];
  const served = await serve({
    app,
    config,
    port: options.port ?? 0,
    isReadOnly: options.isReadOnly ?? false,
    ...(options.timeouts && { timeouts: options.timeouts }),
    note: (sentence) => void notes.push(sentence),
    report: (error) => void notes.push(String(error instanceof Error ? error.stack : error)),
  });
  const { port, token } = served;
  const ask = (path: string, { headers = {}, bare = false, ...rest }: Ask = {}): Promise<Answered> =>
    send(port, path, {
      ...rest,
      headers: { ...(!bare && { authorization: `Bearer ${token}` }), ...headers },
    });
  return {
    ...served,
    app,
    config,
    folder,
    notes,
    client: createClient({ baseUrl: `http://127.0.0.1:${port}`, token }),
    ask,
    post: (path, body, more = {}) =>
      ask(path, {
        method: "POST",
        body: JSON.stringify(body),
        ...more,
        headers: { "content-type": "application/json", ...more.headers },
      }),
    async stop() {
      await served.stop?.();
      if (options.folder === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Nothing is normalized on the way, neither the path nor the Host header. */
export function send(
  port: number,
  path: string,
  { method = "GET", headers = {}, body }: Ask,
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const isCounted = body !== undefined && !("transfer-encoding" in headers);
    const length = isCounted ? { "content-length": String(Buffer.byteLength(body)) } : {};
    const sent = { ...length, ...headers };
    const asking = request(
      { host: "127.0.0.1", port, path, method, headers: sent, agent: false },
      (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (piece: string) => (text += piece));
        response.on("error", reject);
        response.on("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text,
            code: codeIn(text),
            json: () => JSON.parse(text),
          }),
        );
      },
    );
    asking.on("error", reject);
    asking.end(body);
  });
}

function codeIn(text: string): string | undefined {
  try {
    return (JSON.parse(text) as { error?: { code?: string } }).error?.code;
  } catch {
    return undefined;
  }
}

/** A browser that opened the printed address: the cookie it then has. */
export async function signIn({ url, port }: Pick<Served, "url" | "port">): Promise<string> {
  const { pathname, search } = new URL(url);
  const { headers } = await send(port, pathname + search, { headers: { host: `127.0.0.1:${port}` } });
  return (headers["set-cookie"]?.[0] ?? "").split(";")[0] ?? "";
}
