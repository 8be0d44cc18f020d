/** The real server of a hub for tests of its clients, with something in front of it that sees and may answer each request. */
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { toBinding } from "../../src/server/binding.ts";
import { type HubListenOptions, listenHub } from "../../src/server/hub/listen-hub.ts";
import type { TestHub } from "./cluster.ts";

export interface ServedHub {
  readonly url: string;
  readonly port: number;
  /** Every body that came in, as it was sent. */
  readonly received: { readonly path: string; readonly body: Buffer }[];
  /** Defects that the server reported. */
  readonly reported: unknown[];
  /** How many connections were ever opened. */
  connections(): number;
  close(): Promise<void>;
}

export interface Serving {
  readonly port?: number;
  /** Answers instead of the hub, where it gives something. */
  intercept?(path: string, response: ServerResponse): boolean | Promise<boolean>;
}

/** The server alone. */
export const listenTo = (hub: Pick<TestHub, "db">, options: Partial<HubListenOptions> = {}) =>
  listenHub({
    hub,
    binding: toBinding(undefined, undefined, "/"),
    port: 0,
    webFolder: "/nowhere",
    now: () => new Date(),
    report: () => undefined,
    ...options,
  });

export async function serveHub(hub: Pick<TestHub, "db">, serving: Serving = {}): Promise<ServedHub> {
  const received: { path: string; body: Buffer }[] = [];
  const reported: unknown[] = [];
  const behind = await listenTo(hub, { report: (error) => void reported.push(error) });
  let connections = 0;
  const server = createServer((asked, response) => {
    void pass(asked, response, behind.port, received, serving);
  });
  server.on("connection", () => void connections++);
  await new Promise<void>((resolve) => server.listen(serving.port ?? 0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    received,
    reported,
    connections: () => connections,
    async close() {
      await close(server);
      await behind.close(0);
    },
  };
}

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}

async function pass(
  asked: IncomingMessage,
  response: ServerResponse,
  port: number,
  received: { path: string; body: Buffer }[],
  { intercept }: Serving,
): Promise<void> {
  const pieces: Buffer[] = [];
  try {
    for await (const piece of asked) pieces.push(piece as Buffer);
  } catch {
    return void response.destroy();
  }
  const body = Buffer.concat(pieces);
  const path = new URL(asked.url ?? "/", "http://hub").pathname;
  received.push({ path, body });
  if (await intercept?.(path, response)) return;
  const { method = "GET", url = "/", headers } = asked;
  const passed = request({ host: "127.0.0.1", port, method, path: url, headers, agent: false }, (answer) => {
    response.writeHead(answer.statusCode ?? 500, answer.headers);
    answer.on("error", () => response.destroy()).pipe(response);
  });
  passed.on("error", () => response.destroy());
  passed.end(body);
}
