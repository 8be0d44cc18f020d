/** The provider that an application hands to the SDK: paths, errors, and the SQLite database of a session. */
import { randomUUID } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { passwordOf } from "../../src/hub/database/roles.ts";
import { type HubSessions, openHubSessions } from "../../src/hub/provider/contract.ts";
import { placeOfUrl, urlOfPlace } from "../../src/hub/provider/place-of-url.ts";
import { folderOf } from "../../src/hub/provider/places.ts";
import { newAccount, type TestAccount, urlOf } from "./account.ts";
import { newHub, type TestHub } from "./cluster.ts";

let hub: TestHub;
let account: TestAccount;
let sessions: HubSessions;
const open: HubSessions[] = [];

/** Another program of the same account. */
async function another(): Promise<HubSessions> {
  const opened = await openHubSessions({ url: urlOf(hub), token: account.token, holder: "a test" });
  open.push(opened);
  return opened;
}

beforeAll(async () => {
  hub = await newHub();
  account = await newAccount(hub);
  sessions = await another();
});
afterAll(async () => {
  for (const each of open) await each.close();
  await hub.close();
});

const text = async (from: HubSessions, path: string): Promise<string> =>
  Buffer.from(await from.fs.read(path)).toString();

describe("the address", () => {
  it.each([
    { host: "db.example.com", port: 5432, database: "hub" },
    { host: "::1", port: 6543, database: "a hub", ssl: true },
    { host: "/run/postgresql", port: 5433, database: "hub", ssl: { rejectUnauthorized: false } },
  ])("leads to $host", (place) => {
    const url = urlOfPlace({ ...place, secret: "secret" });
    expect(placeOfUrl(url)).toEqual({ ...place, secret: "", appPassword: passwordOf("app", "secret") });
  });

  it.each(["", "http://localhost/hub", "postgres://postgres:x@localhost/hub"])("is refused: %s", (url) => {
    expect(() => placeOfUrl(url)).toThrow(expect.objectContaining({ code: "usage" }));
  });
});

describe("the provider", () => {
  it("keeps one file under both names that the program has for it", async () => {
    const id = randomUUID();
    const provider = sessions.provider({ sessionId: id });
    await provider.writeFile("/session/workspace.yaml", "id: 1", 0o640);
    expect(await provider.readFile(`/home/me/.copilot/session-state/${id}/workspace.yaml`)).toBe("id: 1");
    expect(await provider.readFile(`C:\\copilot\\session-state\\${id}\\workspace.yaml`)).toBe("id: 1");
    expect(await provider.readFile(`/session-state/${id}/workspace.yaml`)).toBe("id: 1");
    expect(await text(sessions, `${folderOf(id)}/workspace.yaml`)).toBe("id: 1");
    await provider.appendFile("/session/deep/er/events.jsonl", "{}\n");
    expect(await provider.readdirWithTypes("/session")).toEqual([
      { name: "deep", type: "directory" },
      { name: "workspace.yaml", type: "file" },
    ]);
    const bytes = Buffer.from([0, 255, 1]);
    await provider.writeFileBytes("/session/a.png", bytes);
    expect(Buffer.from(await provider.readFileBytes("/session/a.png"))).toEqual(bytes);
    expect(await provider.stat("/session/a.png")).toMatchObject({
      isFile: true,
      isDirectory: false,
      size: 3,
    });
  });

  it("knows nothing beyond the session", async () => {
    const id = randomUUID();
    const provider = sessions.provider({ sessionId: id });
    const others = folderOf(randomUUID());
    for (const path of [
      "/etc/passwd",
      "/sessionless",
      others,
      `/x/session-state/${id}x/a`,
      "/session/../etc",
    ]) {
      await expect(provider.readFile(path)).rejects.toMatchObject({ code: "ENOENT" });
      await expect(provider.writeFile(path, "x")).rejects.toMatchObject({ code: "ENOENT" });
      expect(await provider.exists(path)).toBe(false);
    }
  });

  it("removes and makes folders as asked, and no more", async () => {
    const provider = sessions.provider({ sessionId: randomUUID() });
    await expect(provider.mkdir("/session/a/b", false)).rejects.toMatchObject({ code: "ENOENT" });
    await provider.mkdir("/session/a/b", true);
    await expect(provider.rm("/session/a", false, false)).rejects.toMatchObject({ code: "ENOTEMPTY" });
    await expect(provider.rm("/session/none", true, false)).rejects.toMatchObject({ code: "ENOENT" });
    await provider.rm("/session/none", true, true);
    await provider.rm("/session/a", true, false);
    expect(await provider.readdir("/session")).toEqual([]);
  });

  it("answers JSON-RPC, and errors are results", async () => {
    const sessionId = randomUUID();
    const ask = (method: string, params: object = {}) =>
      sessions.handlers[`sessionFs.${method}`]?.({ sessionId, ...params });
    expect(await ask("readFile", { path: "/session/a" })).toMatchObject({
      content: "",
      error: { code: "ENOENT" },
    });
    expect(await ask("stat", { path: "/session/a" })).toMatchObject({ error: { code: "ENOENT" } });
    expect(await ask("readdir", { path: "/session/a" })).toMatchObject({
      entries: [],
      error: { code: "ENOENT" },
    });
    expect(await ask("rename", { src: "/session/a", dest: "/session/b" })).toMatchObject({ code: "ENOENT" });
    expect(await ask("appendFile", { path: "/session/a", content: "x" })).toBe(null);
    expect(await ask("readFile", { path: "/session/a" })).toEqual({ content: "x" });
    expect(await ask("readFileBytes", { path: "/session/a" })).toEqual({ content: "eA==" });
    expect(await ask("sqliteExists")).toEqual({ exists: false });
    expect(await ask("sqliteQuery", { queryType: "exec", query: "CREATE TABLE t (a)" })).toMatchObject({
      rows: [],
    });
    expect(await ask("sqliteQuery", { queryType: "query", query: "SELECT * FROM none" })).toMatchObject({
      error: { code: "UNKNOWN", message: "no such table: none" },
    });
    const statements = [{ queryType: "run", query: "INSERT INTO t VALUES (1)" }];
    expect(await ask("sqliteTransaction", { statements })).toMatchObject({ results: [{ rowsAffected: 1 }] });
    expect(
      await ask("sqliteTransaction", { statements: [{ queryType: "run", query: "nonsense" }] }),
    ).toMatchObject({
      results: [],
      error: { errorClass: "fatal" },
    });
    expect(await ask("sqliteExists")).toEqual({ exists: true });
    expect(Object.keys(sessions.handlers)).toHaveLength(15);
  });
});

describe("a session of two programs", () => {
  it("is refused to the second, who may take it over; the first can then no longer write", async () => {
    const id = randomUUID();
    const first = sessions.provider({ sessionId: id });
    await first.appendFile("/session/events.jsonl", "1\n");
    const other = await another();
    const second = other.provider({ sessionId: id });
    expect(await second.readFile("/session/events.jsonl")).toBe("1\n");
    await expect(second.appendFile("/session/events.jsonl", "2\n")).rejects.toMatchObject({
      code: "session-busy",
    });
    await other.take(id, { steal: true });
    await second.appendFile("/session/events.jsonl", "2\n");
    await expect(first.appendFile("/session/events.jsonl", "late\n")).rejects.toMatchObject({
      code: "lease-lost",
    });
    await expect(first.sqlite.query("exec", "CREATE TABLE late (a)")).rejects.toMatchObject({
      code: "lease-lost",
    });
    expect(await first.readFile("/session/events.jsonl")).toBe("1\n2\n");
    expect(await second.sqlite.exists()).toBe(false);
    // Opened again, it is another who asks; and it is still taken.
    const again = sessions.provider({ sessionId: id });
    await expect(again.appendFile("/session/events.jsonl", "3\n")).rejects.toMatchObject({
      code: "session-busy",
    });
    await other.release(id);
    await again.appendFile("/session/events.jsonl", "3\n");
    expect(await again.readFile("/session/events.jsonl")).toBe("1\n2\n3\n");
  });
});

describe("the session's database", () => {
  it("is a SQLite file of the session, the same for the next program", async () => {
    const id = randomUUID();
    const { sqlite } = sessions.provider({ sessionId: id });
    expect(await sqlite.exists()).toBe(false);
    await sqlite.query(
      "exec",
      "CREATE TABLE todos (id TEXT PRIMARY KEY, title TEXT); CREATE INDEX t ON todos (title)",
    );
    expect(
      await sqlite.query("run", "INSERT INTO todos VALUES (:id, $title)", { id: "a", title: "one" }),
    ).toEqual({
      rows: [],
      columns: [],
      rowsAffected: 1,
      lastInsertRowid: 1,
    });
    await sessions.release(id);
    const other = await another();
    const theirs = other.provider({ sessionId: id }).sqlite;
    expect(await theirs.query("query", "SELECT * FROM todos WHERE id = :id", { id: "a" })).toEqual({
      rows: [{ id: "a", title: "one" }],
      columns: ["id", "title"],
      rowsAffected: 0,
    });
    const copy = new DatabaseSync(":memory:");
    copy.deserialize(await other.fs.read(`${folderOf(id)}/session.db`));
    expect(copy.prepare("SELECT title FROM todos").all()).toEqual([{ title: "one" }]);
    copy.close();
    await theirs.query("run", "UPDATE todos SET title = 'two'");
    // Whoever only reads sees what others wrote since.
    expect((await sqlite.query("query", "SELECT title FROM todos")).rows).toEqual([{ title: "two" }]);
  });

  it("takes several statements as one", async () => {
    const id = randomUUID();
    const { sqlite } = sessions.provider({ sessionId: id });
    await sqlite.query("exec", "CREATE TABLE t (a INTEGER PRIMARY KEY)");
    const insert = (a: number) => ({
      queryType: "run" as const,
      query: "INSERT INTO t VALUES (:a)",
      params: { a },
    });
    await expect(sqlite.transaction([insert(1), insert(2), insert(1)])).rejects.toThrow(/UNIQUE/);
    await expect(sqlite.query("exec", "INSERT INTO t VALUES (7); INSERT INTO t VALUES (7)")).rejects.toThrow(
      /UNIQUE/,
    );
    expect((await sqlite.query("query", "SELECT count(*) AS n FROM t")).rows).toEqual([{ n: 0 }]);
    const results = await sqlite.transaction([
      insert(1),
      insert(2),
      { queryType: "query", query: "SELECT a FROM t" },
    ]);
    expect(results.at(-1)?.rows).toEqual([{ a: 1 }, { a: 2 }]);
    // Changed by what was announced as a question.
    expect((await sqlite.query("query", "INSERT INTO t VALUES (3) RETURNING a")).rows).toEqual([{ a: 3 }]);
    await sessions.release(id);
    const theirs = (await another()).provider({ sessionId: id }).sqlite;
    expect((await theirs.query("query", "SELECT count(*) AS n FROM t")).rows).toEqual([{ n: 3 }]);
  });

  it("leaves no transaction open, and reaches no file of the machine", async () => {
    const { sqlite } = sessions.provider({ sessionId: randomUUID() });
    await expect(sqlite.query("exec", "BEGIN")).rejects.toThrow(/transaction must end/);
    await sqlite.query("exec", "BEGIN; CREATE TABLE t (a); COMMIT");
    await expect(sqlite.query("exec", "ATTACH '/tmp/other.db' AS other")).rejects.toThrow(/not authorized/);
    await expect(sqlite.query("query", "SELECT load_extension('x')")).rejects.toThrow(
      /not authorized|no such function/,
    );
    expect((await sqlite.query("query", "SELECT count(*) AS n FROM t")).rows).toEqual([{ n: 0 }]);
  });
});

it.each([
  ["no URL", "somewhere"],
  ["another scheme", "mysql://rethread_app@localhost/hub"],
  ["another role", "postgres://postgres:x@localhost/hub"],
])("refuses %s", async (_, url) => {
  await expect(openHubSessions({ url, token: account.token })).rejects.toMatchObject({ code: "usage" });
});
