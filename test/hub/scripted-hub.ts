/** A hub in memory, for tests of what commands print: it keeps what is pushed and believes everybody. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { decodePush, encodeFrame } from "../../src/hub/ingest/frame.ts";
import { type FileState, hubSessionId, type PushedFile, type PushHeader } from "../../src/hub/protocol.ts";

export const SCRIPTED_TOKEN = `rth_${"0".repeat(32)}_${"A".repeat(43)}`;

export interface ScriptedHub {
  readonly url: string;
  /** Requests as they came. */
  readonly asked: { readonly method: string; readonly path: string; readonly body: string }[];
  close(): Promise<void>;
}

/** Answers to questions, in the shapes that a hub has for them. */
export const HUB_ANSWERS: Readonly<Record<string, () => object>> = {
  "/api/search": () => ({
    hits: [
      {
        ...{ turn: 3, time: "2026-11-14T09:00:00.000Z", where: "turn", label: null, score: 1.5, alsoIn: [] },
        session: {
          ...{ source: "copilot-cli", id: "0b1c2d3e-0000-4000-8000-00000000000a", title: "Flaky login" },
          ...{ updatedAt: "2026-11-14T09:05:00.000Z", workspace: "/home/robin/shop" },
        },
        snippet: "the login test fails in CI",
        matches: [{ start: 4, end: 9 }],
        person: "robin",
        hubSession: "copilot-cli:0b1c2d3e-0000-4000-8000-00000000000a@4f1c2a9e",
      },
    ],
    ...{ partial: false, respelt: [], missing: [], optional: [], nextCursor: null },
  }),
  "/api/sql": () => ({ columns: ["a"], rows: [[1]], truncated: false }),
  "/api/hub/shares": () => ({
    shares: [
      {
        ...{ id: "4f1c2a9e-0000-4000-8000-000000000001", team: "platform", repository: "acme/lib" },
        ...{ session: null, sharedAt: "2026-11-14T09:00:00.000Z", sessionCount: 2 },
      },
    ],
  }),
  "/api/schema": () => ({ views: [], tables: [] }),
};

interface Kept {
  header: PushHeader;
  readonly files: Map<string, PushedFile & { bodies: Uint8Array[] }>;
}

/** `answers` come first, by the path of the request. */
export async function scriptedHub(
  answers: Readonly<Record<string, (url: URL, body: string) => object>> = {},
): Promise<ScriptedHub> {
  const kept = new Map<string, Kept>();
  const asked: { method: string; path: string; body: string }[] = [];
  const server = createServer((request, response) => void answer(request, response));
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const body = Buffer.concat(pieces);
    const url = new URL(request.url ?? "/", "http://hub");
    asked.push({
      method: request.method ?? "",
      path: `${url.pathname}${url.search}`,
      body: body.toString("utf8"),
    });
    if (url.pathname === "/api/hub/raw") {
      for (const { bodies, ...file } of kept.get(url.searchParams.get("session") ?? "")?.files.values() ?? [])
        response.write(encodeFrame({ file, pieces: file.pieces }, bodies));
      response.end();
      return;
    }
    const found = answers[url.pathname]?.(url, body.toString("utf8")) ?? known(url.pathname, body);
    const [status, value] = "error" in found ? [404, found] : [200, found];
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify({ schemaVersion: 1, ...value }));
  };
  const known = (path: string, body: Buffer): object => {
    const input = () => JSON.parse(body.toString("utf8"));
    if (path === "/api/hub/me")
      return { user: "robin", scopes: ["push", "read"], teams: [{ name: "platform" }], machines: [] };
    if (path === "/api/hub/push") return push(kept, body);
    if (path === "/api/hub/state") return { sessions: [] };
    if (path === "/api/hub/own")
      return {
        sessions: [...kept].map(([session, { header, files }]) => ({
          ...{ session, source: header.source, id: header.id, machine: header.machine },
          ...{ facts: header.facts, isSealed: header.isSealed, turns: 1 },
          files: [...files.values()].map(toState),
        })),
      };
    if (path === "/api/hub/delete") {
      const isThere = kept.delete(input().session);
      return isThere
        ? { rawFiles: 1, rawEvents: 2, rows: 3 }
        : { error: { code: "session-not-found", message: "There is no such session", hint: "List them" } };
    }
    return { error: { code: "route-not-found", message: `There is no ${path}`, hint: "Look at the API" } };
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function push(kept: Map<string, Kept>, frame: Buffer): object {
  const { header, bodies } = decodePush(frame);
  const name = hubSessionId(header.source, header.id, header.machine.id);
  const session = kept.get(name) ?? { header, files: new Map() };
  const created = !kept.has(name);
  kept.set(name, session);
  session.header = header;
  let at = 0;
  for (const file of header.files) {
    const own = bodies.slice(at, at + file.pieces.length);
    at += file.pieces.length;
    const before = file.pieces[0]?.start === 0 ? undefined : session.files.get(file.path);
    session.files.set(file.path, {
      ...file,
      pieces: [...(before?.pieces ?? []), ...file.pieces],
      bodies: [...(before?.bodies ?? []), ...own.map((each) => Buffer.from(each))],
    });
  }
  for (const path of header.removed) session.files.delete(path);
  return {
    created,
    events: header.files.reduce(
      (sum, { pieces }) => sum + pieces.reduce((all, { events }) => all + events, 0),
      0,
    ),
    backfill: "queued",
    files: header.files.map(toState),
  };
}

const toState = ({ path, generation, size, sha256 }: PushedFile): FileState => ({
  ...{ path, generation, size, sha256 },
  removed: false,
});
