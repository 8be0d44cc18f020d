/** What stands at the address of a hub and is none, or is hostile: its clients say so, and lose and write nothing. */
import { createHash } from "node:crypto";
import { existsSync, globSync, statSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { afterEach, describe, expect, it, vi } from "vitest";
import { encodeFrame } from "../../src/hub/ingest/frame.ts";
import { createHubClient, type HubClient } from "../../src/hub/sync/hub-client.ts";
import { SCRIPTED_TOKEN } from "./scripted-hub.ts";
import { HASTY, newMachine } from "./syncing-machine.ts";

type Answer = (response: ServerResponse) => void;

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

interface Answering {
  readonly url: string;
  readonly answers: Readonly<Record<string, Answer>>;
  /** How often it was asked. */
  asked(): number;
}

/** Answers everything alike. */
const answering = (answer: Answer): Promise<Answering> => answeringBy({}, answer);

async function answeringBy(answers: Answering["answers"], other: Answer = page(404)): Promise<Answering> {
  let asked = 0;
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      asked++;
      (answers[new URL(request.url ?? "/", "http://hub").pathname] ?? other)(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, answers, asked: () => asked };
}

const json =
  (value: unknown, status = 200): Answer =>
  (response) => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
  };
const page =
  (status: number): Answer =>
  (response) => {
    response.writeHead(status, { "content-type": "text/html" }).end("<!doctype html><h1>Sign in</h1>");
  };

const clientOf = (url: string): HubClient => createHubClient({ url, token: SCRIPTED_TOKEN, patience: HASTY });

describe("a client says at once", () => {
  it.each<[string, Answer, RegExp]>([
    ["a page to sign in", page(200), /answers with something that is not JSON$/],
    ["nothing", (response) => response.end(), /answers with something that is not JSON$/],
    ["null", json(null), /does not answer as a hub does$/],
    ["an object of something else", json({ status: "ok" }), /does not answer as a hub does$/],
    [
      "odd types",
      json({ user: 5, scopes: "push", teams: [null], machines: {} }),
      /not answer as a hub does$/,
    ],
    [
      "a redirect",
      (response) => response.writeHead(302, { location: "https://login.example.com/x?y" }).end(),
      /sends us to https:\/\/login\.example\.com, where/,
    ],
    [
      "more than fits",
      (response) =>
        response
          .writeHead(200, { "content-encoding": "gzip" })
          .end(gzipSync(Buffer.alloc(65 << 20), { level: 1 })),
      /answers with more than anybody asked for$/,
    ],
    ["that a request is too large", page(413), /takes no request of this size$/],
    ["a failure of several lines", json({ error: { code: "usage", message: "a\nb" } }, 400), /^a b$/],
  ])("that %s is no answer of a hub", async (_, answer, says) => {
    const { url, asked } = await answering(answer);
    await expect(clientOf(url).me()).rejects.toMatchObject({ message: expect.stringMatching(says) });
    expect(asked()).toBe(1);
  });

  it("and keeps no login there", async () => {
    const { url } = await answering(json({ status: "ok" }));
    const laptop = await newMachine("laptop");
    await expect(laptop.sync.login({ url, token: SCRIPTED_TOKEN })).rejects.toMatchObject({
      code: "hub-refused",
    });
    expect(existsSync(join(laptop.dataHome, "hub.json"))).toBe(false);
    laptop.remove();
  });
});

describe("a client asks again", () => {
  it.each<[string, Answer]>([
    [
      "when an answer breaks off",
      (response) => response.writeHead(200, { "content-length": 99 }).write("{", () => response.destroy()),
    ],
    ["when its request took too long", page(408)],
    ["when a proxy has no hub behind it", page(502)],
  ])("%s", async (_, answer) => {
    const { url, asked } = await answering(answer);
    await expect(clientOf(url).me()).rejects.toMatchObject({ code: "hub-unreachable" });
    expect(asked()).toBe(HASTY.attempts);
  });

  it("when nothing comes any more, and not because all of it takes long", async () => {
    vi.useFakeTimers();
    try {
      let body: ReadableStreamDefaultController<Uint8Array> | undefined;
      const client = createHubClient({
        ...{ url: "http://127.0.0.1", token: SCRIPTED_TOKEN, timeoutMs: 1000 },
        async fetch(_, init) {
          init?.signal?.addEventListener("abort", () => body?.error(init.signal?.reason));
          return new Response(
            new ReadableStream({
              start(given) {
                body = given;
              },
            }),
          );
        },
      });
      const parts = (await client.raw("a"))[Symbol.asyncIterator]();
      for (let part = 0; part < 5; part++) {
        const next = parts.next();
        await vi.advanceTimersByTimeAsync(900);
        body?.enqueue(new Uint8Array(7));
        expect(await next).toMatchObject({ value: { length: 7 } });
      }
      const last = parts.next();
      const failing = expect(last).rejects.toMatchObject({ code: "hub-unreachable" });
      await vi.advanceTimersByTimeAsync(1000);
      await failing;
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("a hostile hub", () => {
  const ID = "0b1c2d3e-0000-4000-8000-00000000000a";
  const MACHINE = { id: "4f1c2a9e-0000-4000-8000-000000000000", name: "../elsewhere\u001b[2J" };
  const LOG = `session-state/${ID}/events.jsonl`;
  const start = JSON.stringify({
    ...{ type: "session.start", id: ID, timestamp: "2026-11-15T12:00:00.000Z", parentId: null },
    data: { sessionId: ID, version: 1, startTime: "2026-11-15T12:00:00.000Z" },
  });

  /** Gives these files as those of one session; the mode of each would let it run as its owner. */
  const sending = (files: readonly (readonly [path: string, text: string])[]) =>
    answeringBy({
      "/api/hub/own": json({
        sessions: [
          {
            ...{ source: "copilot-cli", id: ID, session: `copilot-cli:${ID}@4f1c2a9e`, machine: MACHINE },
            ...{ isSealed: false, files: [], facts: { title: "x" }, turns: 1 },
          },
        ],
      }),
      "/api/hub/raw": (response) => {
        for (const [path, text] of files) {
          const bytes = Buffer.from(text);
          const file = {
            ...{ path, generation: 0, size: bytes.length, removed: false, mode: 0o4777, mtimeMs: 0 },
            sha256: createHash("sha256").update(bytes).digest("hex"),
          };
          const pieces = [{ start: 0, bytes: bytes.length }];
          response.write(encodeFrame({ file, pieces }, [zstdCompressSync(bytes)]));
        }
        response.end();
      },
    });
  const pullFrom = async (url: string) => {
    const desk = await newMachine("desk", { RETHREAD_HUB_URL: url, RETHREAD_HUB_TOKEN: SCRIPTED_TOKEN });
    closing.push(async () => desk.remove());
    const folder = desk.clone("acme/shop");
    const report = await desk.sync.pull({ to: folder });
    return { desk, report };
  };

  it.each([
    ["above", "../evil"],
    ["above, from within", `session-state/${ID}/../../../evil`],
    ["at an address of its own", "/tmp/rethread-evil"],
    ["on a drive", "C:/evil"],
    ["with slashes of another system", "session-state\\..\\evil"],
    ["without a name", ""],
    ["under the name of another file", LOG],
    ["below another file", `${LOG}/evil`],
  ])("writes nothing %s", async (_, path) => {
    const { url } = await sending([
      [LOG, `${start}\n`],
      [`session-state/${ID}/files/a.txt`, "fine"],
      [path, "evil"],
    ]);
    const { desk, report } = await pullFrom(url);
    expect(report.sessions).toMatchObject([{ outcome: "left-out", problem: { code: "hub-unreachable" } }]);
    expect(globSync("**/*evil*", { cwd: desk.home })).toEqual([]);
    expect([existsSync(join(desk.home, ".copilot")), existsSync("/tmp/rethread-evil")]).toEqual([
      false,
      false,
    ]);
  });

  it("gives files of a session alone, and none that runs as its owner", async () => {
    const { url } = await sending([
      [LOG, `${start}\n`],
      [`session-state/${ID}/files/a.sh`, "echo"],
      ["mcp-config.json", "evil"],
      [".ssh/authorized_keys", "evil"],
      ["session-state/other/events.jsonl", "evil"],
    ]);
    const { desk, report } = await pullFrom(url);
    expect(report.sessions).toMatchObject([{ outcome: "pulled", id: ID }]);
    const written = globSync("**/*", { cwd: join(desk.home, ".copilot"), withFileTypes: true })
      .filter((each) => each.isFile())
      .map(({ name }) => name);
    expect(written.sort()).toEqual(["a.sh", "events.jsonl"]);
    expect(statSync(desk.pathOf(ID, "files/a.sh")).mode & 0o7000).toBe(0);
  });

  it.each<[string, Answer]>([
    [
      "odd frames",
      (response) => response.end(encodeFrame({ file: { path: 5 }, pieces: [null] }, [Buffer.alloc(1)])),
    ],
    ["a frame that is none", (response) => response.end("\0\0\0\u0005hello")],
    ["half a frame", (response) => response.end("\0\0")],
  ])("that sends %s is told of in one sentence", async (_, raw) => {
    const own = sending([]);
    const { url } = await answeringBy({ ...(await own).answers, "/api/hub/raw": raw });
    const { report } = await pullFrom(url);
    expect(report.sessions).toMatchObject([{ outcome: "left-out", problem: { code: "hub-unreachable" } }]);
  });
});
