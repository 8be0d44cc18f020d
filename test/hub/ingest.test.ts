/** Pushes: every acknowledged piece is there exactly once, whatever happens on the way. */
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { clientConfig, type HubDatabase } from "../../src/hub/database/connect.ts";
import { deleteSession } from "../../src/hub/ingest/delete.ts";
import { decodePush, encodePush } from "../../src/hub/ingest/frame.ts";
import { readRawFiles } from "../../src/hub/ingest/raw.ts";
import { receivePush } from "../../src/hub/ingest/receive.ts";
import { ownSessions, sessionStates } from "../../src/hub/ingest/state.ts";
import { hubSessionId, type PushAnswer } from "../../src/hub/protocol.ts";
import { newHub, type TestHub } from "./cluster.ts";
import { type People, type Person, peopleOf } from "./people.ts";
import { type FilePart, MACHINE, pushOf, sha256 } from "./pushing.ts";

let hub: TestHub;
let people: People;
let one: Person;
let id = "";
let count = 0;

beforeAll(async () => {
  hub = await newHub();
  people = await peopleOf(hub);
  one = await people.add("one");
});
beforeEach(() => {
  id = `session-${count++}`;
});
afterAll(async () => {
  await people.close();
  await hub.close();
});

const LOG = "session-state/x/events.jsonl";
const session = (): string => hubSessionId("copilot-cli", id, MACHINE.id);
const push = (parts: readonly FilePart[], more = {}): Promise<PushAnswer> => {
  const { header, bodies } = pushOf(parts, { id, ...more });
  return receivePush(hub.db, one, header, bodies);
};
/** What a reader sees of each file. */
async function contents(): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for await (const { file, bodies } of readRawFiles(hub.db, one, session()))
    found[file.path] =
      (found[file.path] ?? "") + bodies.map(({ body }) => zstdDecompressSync(body).toString()).join("");
  return found;
}
const pieces = () =>
  people.ask(
    "SELECT path, generation, start::int, bytes FROM hub.raw_events WHERE session_id = $1 ORDER BY 1, 2, 3",
    [session()],
  );
const state = async () =>
  (await sessionStates(hub.db, one, MACHINE.id, [{ source: "copilot-cli", id }])).sessions[0];

describe("a frame", () => {
  const good = pushOf([{ path: LOG, texts: ["a\n", "b\n"] }]);
  const frame = (): Uint8Array => encodePush(good.header, good.bodies);

  it("is read as it was written", () => {
    const { header, bodies } = decodePush(frame());
    expect(header).toEqual(good.header);
    expect(bodies.map((body) => zstdDecompressSync(body).toString())).toEqual(["a\n", "b\n"]);
  });

  it("is refused when it is cut off anywhere, or goes on", () => {
    const whole = frame();
    for (let length = 0; length < whole.length; length += 7)
      expect(() => decodePush(whole.subarray(0, length))).toThrow(/cannot be read/);
    expect(() => decodePush(Buffer.concat([whole, Buffer.from("x")]))).toThrow(/more in it/);
  });

  it.each([
    ["leads above its root", { path: "../../etc/passwd" }],
    ["is absolute", { path: "/etc/passwd" }],
    ["has a backslash", { path: "a\\b" }],
    ["has a NUL", { path: "a\0b" }],
    ["has half a character", { path: "a\ud800" }],
    ["has an empty part", { path: "a//b" }],
  ])("is refused when a path %s", (_, { path }) => {
    const { header, bodies } = pushOf([{ path, texts: ["a"] }]);
    expect(() => decodePush(encodePush(header, bodies))).toThrow(/cannot be read/);
  });

  it.each([
    ["a machine that is no UUID", { machine: { id: "me", name: "laptop" } }],
    ["a source with odd letters", { source: "../x" }],
    ["a field that nobody knows", { account: "somebody else" }],
    ["a file twice", { files: [...good.header.files, ...good.header.files] }],
    ["a piece too large", { files: good.header.files.map((f) => ({ ...f, size: -1 })) }],
  ])("is refused with %s", (_, odd) => {
    expect(() => decodePush(encodePush({ ...good.header, ...odd }, good.bodies))).toThrow(/cannot be read/);
  });

  it("is refused when it is too large", () => {
    expect(() => decodePush(new Uint8Array((16 << 20) + 1))).toThrow(/at most 16 MB/);
  });
});

describe("a push", () => {
  it("makes a session, and is continued", async () => {
    const facts = { title: "A title", repository: "acme/shop", repositoryEvidence: "folder", branch: "main" };
    expect(await push([{ path: LOG, texts: ["a\n", "b\nc\n"] }], { facts })).toEqual({
      created: true,
      events: 3,
      backfill: "queued",
      files: [{ path: LOG, generation: 0, size: 6, sha256: sha256("a\nb\nc\n"), removed: false }],
    });
    expect(await push([{ path: LOG, before: "a\nb\nc\n", texts: ["d\n"] }], { facts })).toMatchObject({
      created: false,
      events: 1,
    });
    expect(await contents()).toEqual({ [LOG]: "a\nb\nc\nd\n" });
    const own = (await ownSessions(hub.db, one)).find((each) => each.id === id);
    expect(own).toMatchObject({ session: session(), machine: MACHINE, facts, files: [{ size: 8 }] });
    const [row] = await people.ask("SELECT * FROM hub.sessions WHERE id = $1", [session()]);
    expect(row).toMatchObject({ title: "A title", repository: "acme/shop", raw_version: "2" });
  });

  it("that comes twice is acknowledged, and stored once", async () => {
    await push([{ path: LOG, texts: ["a\n"] }]);
    const again = await push([{ path: LOG, texts: ["a\n"] }]);
    expect(again).toMatchObject({ created: false, events: 0, backfill: "none", files: [{ size: 2 }] });
    // What was acknowledged before, with something new behind it.
    expect(await push([{ path: LOG, texts: ["a\n", "b\n"] }])).toMatchObject({ events: 1 });
    expect(await pieces()).toHaveLength(2);
    expect(await contents()).toEqual({ [LOG]: "a\nb\n" });
    const [row] = await people.ask("SELECT raw_version::int FROM hub.sessions WHERE id = $1", [session()]);
    expect(row).toEqual({ raw_version: 2 });
  });

  it.each([
    ["leaves a gap", { path: LOG, before: "a\nb\n", texts: ["c\n"] }],
    ["says something else about what is there", { path: LOG, texts: ["x\n"] }],
    ["begins a generation too late", { path: LOG, generation: 2, texts: ["x\n"] }],
    ["begins a generation in the middle", { path: LOG, generation: 1, before: "a\n", texts: ["x\n"] }],
  ])("that %s is refused, and changes nothing", async (_, part) => {
    await push([{ path: LOG, texts: ["a\n"] }]);
    await expect(push([{ path: "other.json", texts: ["{}"] }, part])).rejects.toMatchObject({
      code: "hub-conflict",
    });
    expect(await contents()).toEqual({ [LOG]: "a\n" });
  });

  it("of a rewritten file replaces it", async () => {
    await push([{ path: LOG, texts: ["a\n", "b\n"] }]);
    await push([{ path: LOG, generation: 1, texts: ["c\n"] }]);
    expect(await contents()).toEqual({ [LOG]: "c\n" });
    expect(await pieces()).toEqual([{ path: LOG, generation: 1, start: 0, bytes: 2 }]);
    // What was on its way for the old one comes too late.
    await expect(push([{ path: LOG, before: "a\nb\n", texts: ["late\n"] }])).rejects.toMatchObject({
      code: "hub-conflict",
    });
  });

  it("of a rewritten file in several parts shows the old one until the last part is there", async () => {
    await push([{ path: LOG, texts: ["old\n"] }]);
    await push([{ path: LOG, generation: 1, texts: ["1\n"], more: true }]);
    expect(await contents()).toEqual({ [LOG]: "old\n" });
    expect((await state())?.files).toEqual([
      {
        ...{ path: LOG, generation: 0, size: 4, sha256: sha256("old\n"), removed: false },
        next: { generation: 1, size: 2, sha256: sha256("1\n") },
      },
    ]);
    // The part comes twice, then the next two.
    expect(await push([{ path: LOG, generation: 1, texts: ["1\n"], more: true }])).toMatchObject({
      events: 0,
    });
    await push([{ path: LOG, generation: 1, before: "1\n", texts: ["2\n"], more: true }]);
    await push([{ path: LOG, generation: 1, before: "1\n2\n", texts: ["3\n"] }]);
    expect(await contents()).toEqual({ [LOG]: "1\n2\n3\n" });
    expect(await pieces()).toHaveLength(3);
  });

  it("in several parts can be begun again with something else", async () => {
    await push([{ path: "new.json", texts: ["[1,"], more: true }]);
    expect(await contents()).toEqual({});
    await push([{ path: "new.json", texts: ["{2:", "3}"] }]);
    expect(await contents()).toEqual({ "new.json": "{2:3}" });
    expect(await pieces()).toHaveLength(2);
  });

  it("keeps what an appended part adds to itself until it is complete", async () => {
    await push([{ path: LOG, texts: ["a\n"] }]);
    const part = await push([{ path: LOG, before: "a\n", texts: ["b"], more: true }]);
    expect(await contents()).toEqual({ [LOG]: "a\n" });
    const last = await push([{ path: LOG, before: "a\nb", texts: ["c\n"] }]);
    // Rows would be made again of what is there already.
    expect([part.backfill, last.backfill]).toEqual(["none", "queued"]);
    expect(await contents()).toEqual({ [LOG]: "a\nbc\n" });
  });

  it("marks files that are gone, and knows them when they come back", async () => {
    await push([
      { path: LOG, texts: ["a\n"] },
      { path: "plan.md", texts: ["plan"] },
    ]);
    await push([], { removed: ["plan.md"] });
    expect(await contents()).toEqual({ [LOG]: "a\n" });
    expect((await state())?.files.map(({ path, removed }) => [path, removed])).toEqual([
      ["plan.md", true],
      [LOG, false],
    ]);
    await push([{ path: "plan.md", generation: 1, texts: ["plan 2"] }]);
    expect(await contents()).toEqual({ [LOG]: "a\n", "plan.md": "plan 2" });
  });

  it("takes files without bytes", async () => {
    await push([{ path: "empty", texts: [] }]);
    expect(await contents()).toEqual({ empty: "" });
  });

  it("marks a session whose files have vanished", async () => {
    await push([{ path: LOG, texts: ["a\n"] }]);
    await push([], { facts: { vanishedAt: "2026-01-01T00:00:00.000Z" } });
    const [row] = await people.ask("SELECT vanished_at FROM hub.sessions WHERE id = $1", [session()]);
    expect(row).toEqual({ vanished_at: "2026-01-01T00:00:00.000Z" });
  });

  it.each([
    ["is not what its hash says", zstdCompressSync("b\n")],
    ["is not compressed", Buffer.from("a\n")],
    ["is a bomb", zstdCompressSync(Buffer.alloc(64 << 20))],
    ["has nothing in it", zstdCompressSync("")],
  ])("with a body that %s is refused", async (_, body) => {
    const { header } = pushOf([{ path: LOG, texts: ["a\n"] }], { id });
    await expect(receivePush(hub.db, one, header, [body])).rejects.toMatchObject({ code: "usage" });
    expect(await state()).toBeUndefined();
  });

  it("whose pieces are not the file that it names is refused", async () => {
    await expect(push([{ path: LOG, texts: ["a\n"], sha256: sha256("b\n") }])).rejects.toMatchObject({
      code: "usage",
    });
  });

  it("needs a token that is known and may push", async () => {
    const reader = await people.add("reader", ["read"]);
    const { header, bodies } = pushOf([{ path: LOG, texts: ["a\n"] }], { id });
    await expect(receivePush(hub.db, reader, header, bodies)).rejects.toMatchObject({ code: "hub-refused" });
    const forged = { account: one.account, proof: reader.proof };
    await expect(receivePush(hub.db, forged, header, bodies)).rejects.toMatchObject({
      code: "not-signed-in",
    });
  });

  it("that is sealed is kept as it is, and stays sealed", async () => {
    const sealed = Buffer.from("only its owner reads this");
    const { header } = pushOf([{ path: LOG, texts: [sealed] }], { id, isSealed: true });
    expect(await receivePush(hub.db, one, header, [sealed])).toMatchObject({
      backfill: "none",
      created: true,
    });
    for await (const { bodies } of readRawFiles(hub.db, one, session()))
      expect(Buffer.from(bodies[0]?.body ?? [])).toEqual(sealed);
    await expect(push([{ path: "other", texts: ["a"] }])).rejects.toMatchObject({ code: "hub-conflict" });
  });
});

/** As a client does whose hub was out of reach: connections that were cut while they rested are found out one by one. */
async function untilReached<T>(work: () => Promise<T>): Promise<T> {
  for (;;)
    try {
      return await work();
    } catch (error) {
      expect(error).toMatchObject({
        code: expect.stringMatching(/^(database-unavailable|session-not-found)$/),
      });
      if ((error as { code?: string }).code === "session-not-found") return undefined as T;
    }
}

/** Counts how often a push waits for the database: statements that are sent together are waited for once. */
function counting(db: HubDatabase): { readonly db: HubDatabase; waits: number; statements: number } {
  const counts = { waits: 0, statements: 0 };
  let under = 0;
  const count = async <T>(asked: Promise<T>): Promise<T> => {
    if (under++ === 0) counts.waits++;
    counts.statements++;
    try {
      return await asked;
    } finally {
      under--;
    }
  };
  const counted: HubDatabase = {
    ...db,
    as: (who, work, options) =>
      db.as(
        who,
        (tx) =>
          work({
            clock: tx.clock,
            query: (sql, values) => count(tx.query(sql, values)),
            change: (sql, values) => count(tx.change(sql, values)),
          }),
        options,
      ),
  };
  return Object.assign(counts, { db: counted });
}

describe("a push of any size", () => {
  it("waits for the database three times, and once more for its commit", async () => {
    const files = Array.from({ length: 12 }, (_, at) => ({ path: `files/${at}`, texts: ["a\n", "b\n"] }));
    for (const [parts, statements] of [
      [[{ path: LOG, texts: ["a\n"] }, ...files], 12],
      [[{ path: LOG, before: "a\n", texts: ["b\n"] }], 12],
      // Nothing is new.
      [[{ path: LOG, before: "a\n", texts: ["b\n"] }], 6],
    ] as const) {
      const asked = counting(hub.db);
      const { header, bodies } = pushOf(parts, { id });
      await receivePush(asked.db, one, header, bodies);
      expect(asked.waits).toBeLessThanOrEqual(3);
      expect(asked.statements).toBeLessThanOrEqual(statements);
    }
  });
});

it("tells why a transaction failed, and not what came of that", async () => {
  const nested = async (work: Promise<unknown>): Promise<unknown> => Promise.all([Promise.all([work])]);
  const failing = hub.db.as(one, async (tx) =>
    Promise.all([nested(nested(tx.query("SELECT 1 / 0"))), tx.query("SELECT 1"), tx.query("SELECT 2")]),
  );
  await expect(failing).rejects.toMatchObject({ code: "22012" });
});

describe("pushes at once", () => {
  it("of one session take turns, and none is lost or stored twice", async () => {
    const lines = Array.from({ length: 12 }, (_, at) => `${at}\n`);
    const sendAll = async (): Promise<void> => {
      for (;;) {
        const size = (await state())?.files[0]?.size ?? 0;
        const whole = lines.join("");
        if (size >= whole.length) return;
        const next = lines.find((_, at) => lines.slice(0, at).join("").length === size) ?? "";
        await push([{ path: LOG, before: whole.slice(0, size), texts: [next] }]).catch((error: unknown) =>
          expect(error).toMatchObject({ code: "hub-conflict" }),
        );
      }
    };
    await Promise.all([sendAll(), sendAll(), sendAll(), sendAll()]);
    expect(await contents()).toEqual({ [LOG]: lines.join("") });
    expect(await pieces()).toHaveLength(lines.length);
  });

  it("whose connections are cut are all there or not at all, and can be repeated", async () => {
    const killer = new pg.Client(hub.admin);
    await killer.connect();
    let before = "";
    let cut = 0;
    const user = clientConfig(hub.place, "app").user;
    for (let at = 0; at < 15; at++) {
      const text = `${at} ${"x".repeat(2000)}\n`;
      const sent = push([{ path: LOG, before, texts: [text] }]).then(
        () => true,
        () => false,
      );
      await new Promise((resolve) => setTimeout(resolve, at % 5));
      await killer.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND usename = $2",
        [hub.place.database, user],
      );
      const isSent = await sent;
      if (!isSent) cut++;
      const seen = await untilReached(contents);
      if (isSent) expect(seen).toEqual({ [LOG]: before + text });
      await untilReached(() => push([{ path: LOG, before, texts: [text] }]));
      before += text;
      expect(await contents()).toEqual({ [LOG]: before });
    }
    await killer.end();
    expect(cut).toBeGreaterThan(0);
    expect(await pieces()).toHaveLength(15);
  });
});

describe("deleting", () => {
  it("removes everything of a session but that it happened", async () => {
    await push([{ path: LOG, texts: ["a\n", "b\n"] }], { facts: { title: "secret plan" } });
    expect(await deleteSession(hub.db, one, session())).toEqual({ rawFiles: 1, rawEvents: 2, rows: 1 });
    for (const table of ["raw_files", "raw_events"])
      expect(await people.ask(`SELECT 1 FROM hub.${table} WHERE session_id = $1`, [session()])).toEqual([]);
    expect(await state()).toBeUndefined();
    const audit = await people.ask("SELECT account_id, actor, action, subject, detail FROM hub.audit");
    expect(audit).toContainEqual({
      ...{ account_id: one.account, actor: one.account, action: "session.delete", subject: "" },
      detail: { rawFiles: 1, rawEvents: 2, rows: 1 },
    });
    await expect(deleteSession(hub.db, one, session())).rejects.toMatchObject({ code: "session-not-found" });
  });

  it("is not undone by a copy of a push that comes late, only by who knows of it", async () => {
    const parts = [{ path: LOG, texts: ["a\n"] }];
    const answer = async () =>
      (await sessionStates(hub.db, one, MACHINE.id, [{ source: "copilot-cli", id }])).deleted[0]?.deletion;
    await push(parts);
    await deleteSession(hub.db, one, session(), { isForGood: true });
    const first = await answer();
    const late = { code: "hub-conflict", message: "This session was deleted from the hub" };
    await expect(push(parts)).rejects.toMatchObject(late);
    await expect(push([], { facts: { vanishedAt: "2026-11-01" } })).rejects.toMatchObject(late);
    expect([await pieces(), await answer()]).toEqual([[], first]);

    expect(await push(parts, { afterDeletion: first })).toMatchObject({ created: true, events: 1 });
    await deleteSession(hub.db, one, session(), { isForGood: true });
    await expect(push(parts, { afterDeletion: first })).rejects.toMatchObject(late);
    expect(await answer()).not.toBe(first);
  });

  it("is for one's own sessions", async () => {
    await push([{ path: LOG, texts: ["a\n"] }]);
    const two = await people.add(`two-${id}`);
    await expect(deleteSession(hub.db, two, session())).rejects.toMatchObject({ code: "session-not-found" });
    expect(await contents()).toEqual({ [LOG]: "a\n" });
  });
});
