/** A hub over HTTP for tests of the client: the addresses that it uses, answered by the functions of the hub itself. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { toCredentials } from "../../src/hub/database/credentials.ts";
import { deleteSession } from "../../src/hub/ingest/delete.ts";
import { decodePush, encodeFrame } from "../../src/hub/ingest/frame.ts";
import { readRawFiles } from "../../src/hub/ingest/raw.ts";
import { receivePush } from "../../src/hub/ingest/receive.ts";
import { ownSessions, sessionStates } from "../../src/hub/ingest/state.ts";
import { AppError } from "../../src/model/errors.ts";
import type { TestHub } from "./cluster.ts";

export interface ServedHub {
  readonly url: string;
  readonly port: number;
  /** Every body that came in, as it was sent. */
  readonly received: { readonly path: string; readonly body: Buffer }[];
  /** How many connections were ever opened. */
  connections(): number;
  close(): Promise<void>;
}

export interface Serving {
  readonly port?: number;
  /** Answers instead of the hub, where it gives something. */
  intercept?(path: string, response: ServerResponse): boolean | Promise<boolean>;
}

export async function serveHub(hub: Pick<TestHub, "db">, serving: Serving = {}): Promise<ServedHub> {
  const received: { path: string; body: Buffer }[] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    void answer(hub, request, response, received, serving);
  });
  server.on("connection", () => void connections++);
  await new Promise<void>((resolve) => server.listen(serving.port ?? 0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    received,
    connections: () => connections,
    close: () => close(server),
  };
}

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}

async function answer(
  { db }: Pick<TestHub, "db">,
  request: IncomingMessage,
  response: ServerResponse,
  received: { path: string; body: Buffer }[],
  { intercept }: Serving,
): Promise<void> {
  const url = new URL(request.url ?? "/", "http://hub");
  const json = (value: object, status = 200): void => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify({ schemaVersion: 1, ...value }));
  };
  try {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const body = Buffer.concat(pieces);
    received.push({ path: url.pathname, body });
    if (await intercept?.(url.pathname, response)) return;
    const who = toCredentials(/^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1] ?? "");
    const input = () =>
      JSON.parse(body.toString("utf8")) as {
        machine: string;
        session: string;
        sessions: { source: string; id: string }[];
      };
    if (url.pathname === "/api/hub/me") {
      const rows = await db.as(who, (tx) =>
        tx.query("SELECT name FROM hub.accounts WHERE account_id = hub.me()"),
      );
      if (!rows[0]) throw new AppError("not-signed-in", "The token is not valid", "Ask for another");
      json({ user: rows[0].name, scopes: ["push", "read"], teams: [], machines: [] });
    } else if (url.pathname === "/api/hub/push") {
      const { header, bodies } = decodePush(body);
      json(await receivePush(db, who, header, bodies));
    } else if (url.pathname === "/api/hub/state") {
      const { machine, sessions } = input();
      json({ sessions: await sessionStates(db, who, machine, sessions) });
    } else if (url.pathname === "/api/hub/own") json({ sessions: await ownSessions(db, who) });
    else if (url.pathname === "/api/hub/raw") {
      for await (const { file, bodies } of readRawFiles(db, who, url.searchParams.get("session") ?? "")) {
        const pieces = bodies.map(({ start, bytes }) => ({ start, bytes }));
        response.write(
          encodeFrame(
            { file, pieces },
            bodies.map((each) => each.body),
          ),
        );
      }
      response.end();
    } else if (url.pathname === "/api/hub/delete") {
      const deleted = await deleteSession(db, who, input().session);
      json({ ...deleted });
    } else throw new AppError("route-not-found", `There is no ${url.pathname}`, "Look at the API");
  } catch (error) {
    const known = error instanceof AppError ? error : undefined;
    if (response.headersSent) response.destroy();
    else
      json(
        { error: { code: known?.code ?? "internal", message: String(error), hint: known?.hint ?? "" } },
        known?.status ?? 500,
      );
  }
}
