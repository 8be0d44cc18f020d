/** Sessions on the hub under attack: stolen and ended leases, odd names, races, and a database that breaks in the middle. */
import { spawn } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type HubSessions, openHubSessions } from "../../src/hub/provider/contract.ts";
import type { CopilotSessionFsProvider } from "../../src/hub/provider/copilot-provider.ts";
import { takeLease } from "../../src/hub/provider/lease.ts";
import { folderOf } from "../../src/hub/provider/places.ts";
import { openSessionDatabase } from "../../src/hub/provider/session-database.ts";
import { builtHubProgram } from "../built.ts";
import { newAccount, type TestAccount, urlOf } from "./account.ts";
import { newHub, type TestHub } from "./cluster.ts";

let hub: TestHub;
let account: TestAccount;
let sessions: HubSessions;
let admin: pg.Client;
const open: HubSessions[] = [];

async function another(
  more: { token?: string; leaseMs?: number; onLost?: (id: string, e: Error) => void } = {},
) {
  const opened = await openHubSessions({ url: urlOf(hub), token: account.token, holder: "a test", ...more });
  open.push(opened);
  return opened;
}

beforeAll(async () => {
  hub = await newHub();
  account = await newAccount(hub);
  sessions = await another();
  admin = new pg.Client(hub.admin);
  await admin.connect();
});
afterEach(async () => {
  for (const each of open.splice(1)) await each.close();
});
afterAll(async () => {
  await sessions.close();
  await admin.end();
  await hub.close();
});

const EVENTS = "/session/events.jsonl";
const newSession = (from = sessions): [CopilotSessionFsProvider, string] => {
  const sessionId = randomUUID();
  return [from.provider({ sessionId }), sessionId];
};

describe("names", () => {
  it.each(["", ".", "..", "a/b", "a\\b", "a\0b", "x\ud800", "é".repeat(128), undefined, 7])(
    "of sessions that lead elsewhere are refused: %j",
    async (odd) => {
      const sessionId = odd as string;
      const refused = { code: "usage" };
      expect(() => sessions.provider({ sessionId })).toThrow(expect.objectContaining(refused));
      await expect(sessions.take(sessionId)).rejects.toMatchObject(refused);
      expect(await sessions.handlers["sessionFs.readFile"]?.({ sessionId, path: EVENTS })).toMatchObject({
        error: { code: "UNKNOWN" },
      });
    },
  );

  it.each([
    ["NUL", "/session/a\0b", "EINVAL"],
    ["half a character", "/session/\udc00", "EINVAL"],
    ["a name that is too long", `/session/${"n".repeat(256)}`, "ENAMETOOLONG"],
    ["a path that is too long", `/session/${"long/".repeat(600)}`, "ENAMETOOLONG"],
  ])("of files with %s are refused by each method, and the session goes on", async (_, path, code) => {
    const [provider] = newSession();
    await provider.writeFile("/session/a", "a");
    const refused = { code };
    for (const attempt of [
      () => provider.readFile(path),
      () => provider.readFileBytes(path),
      () => provider.writeFile(path, "x"),
      () => provider.appendFile(path, "x"),
      () => provider.stat(path),
      () => provider.mkdir(path, true),
      () => provider.readdir(path),
      () => provider.rm(path, true, true),
      () => provider.rename("/session/a", path),
      () => provider.rename(path, "/session/b"),
    ])
      await expect(attempt()).rejects.toMatchObject(refused);
    expect(await provider.exists(path)).toBe(false);
    expect(await provider.readdir("/session")).toEqual(["a"]);
  });

  it("that differ in case or in how Unicode composes them are different files, of which none is listed twice", async () => {
    const [provider] = newSession();
    const names = [
      "A",
      "a",
      "\u00e9",
      "e\u0301",
      "\u212b",
      "\u00c5",
      "%",
      "_",
      "a%",
      "..a",
      " ",
      "a\nb",
      "ß",
      "SS",
    ];
    for (const name of names) await provider.writeFile(`/session/${name}`, name);
    expect((await provider.readdir("/session")).sort()).toEqual([...names].sort());
    await provider.rm("/session/%", false, false);
    await provider.rm("/session/a", true, false);
    for (const name of names)
      if (name !== "%" && name !== "a") expect(await provider.readFile(`/session/${name}`)).toBe(name);
  });
});

describe("folders", () => {
  it("are not moved into themselves, nor is the session", async () => {
    const [provider] = newSession();
    await provider.writeFile("/session/a/b/c", "deep");
    for (const [from, to] of [
      ["/session/a", "/session/a/x"],
      ["/session/a", "/session/a/b/x"],
      ["/session", "/session/x"],
      ["/session", "/session"],
    ] as const)
      await provider.rename(from, to).then(
        () => expect(from).toBe(to),
        (error) => expect(error).toMatchObject({ code: "EINVAL" }),
      );
    expect(await provider.readFile("/session/a/b/c")).toBe("deep");
    await provider.rename("/session/a", "/session/ab");
    await provider.rename("/session/ab", "/session/a");
    expect(await provider.readFile("/session/a/b/c")).toBe("deep");
  });

  it("are removed with what is in them, and nothing of sessions whose names begin alike", async () => {
    const sessionId = randomUUID();
    const [mine, theirs] = [`${sessionId}`, `${sessionId}2`].map((id) =>
      sessions.provider({ sessionId: id }),
    );
    await mine?.writeFile("/session/a/b", "1");
    await mine?.writeFile("/session/ab", "2");
    await theirs?.writeFile("/session/a/b", "3");
    await mine?.rm("/session/a", true, false);
    expect(await mine?.readdir("/session")).toEqual(["ab"]);
    await mine?.rm("/session", true, true);
    expect(await mine?.exists("/session")).toBe(false);
    expect(await theirs?.readFile("/session/a/b")).toBe("3");
    const left = await admin.query("SELECT 1 FROM hub.provider_pieces WHERE session_id = $1", [sessionId]);
    expect(left.rows).toEqual([]);
  });

  it("of another account's session are not there, by its id or by the bytes of its files", async () => {
    const [provider, sessionId] = newSession();
    await provider.writeFile("/session/secret", "mine");
    const stranger = await another({ token: (await newAccount(hub)).token });
    const theirs = stranger.provider({ sessionId });
    expect(await theirs.exists("/session/secret")).toBe(false);
    await expect(stranger.fs.read(`${folderOf(sessionId)}/secret`)).rejects.toMatchObject({ code: "ENOENT" });
    await theirs.writeFile("/session/secret", "theirs");
    await theirs.rm("/session", true, true);
    await stranger.take(sessionId, { steal: true });
    expect(await provider.readFile("/session/secret")).toBe("mine");
    await provider.writeFile("/session/secret", "still mine");
  });
});

describe("files", () => {
  it("of any bytes come back as they were, however they are appended", async () => {
    const [provider] = newSession();
    const bytes = randomBytes(900_001);
    await provider.writeFileBytes("/session/a", bytes);
    expect(Buffer.from(await provider.readFileBytes("/session/a")).equals(bytes)).toBe(true);
    const text = `${"\0".repeat(3)}\ufeff\r\n\u2028${"x".repeat(300_000)}😀`;
    await provider.writeFile(EVENTS, "");
    await provider.appendFile(EVENTS, "");
    await provider.appendFile(EVENTS, text);
    await provider.appendFile(EVENTS, "");
    expect(await provider.readFile(EVENTS)).toBe(text);
  });

  it("are written at once by the first calls of a program, which do not stand in each other's way", async () => {
    const [provider, sessionId] = newSession();
    const again = sessions.provider({ sessionId });
    await Promise.all([
      provider.writeFile("/session/a", "a"),
      provider.appendFile(EVENTS, "1\n"),
      provider.appendFile(EVENTS, "2\n"),
      again.appendFile("/session/deep/er", "3\n"),
      provider.appendFile(EVENTS, "3\n"),
      provider.sqlite.query("exec", "CREATE TABLE t (a)"),
      sessions.take(sessionId),
      provider.mkdir("/session/files", true),
    ]);
    expect(await provider.readFile(EVENTS)).toBe("1\n2\n3\n");
    expect(await provider.readdir("/session")).toEqual(["a", "deep", "events.jsonl", "files", "session.db"]);
  });
});

/** Each method that changes something, on a session that has `a` and a table. */
const CHANGES: Readonly<Record<string, (provider: CopilotSessionFsProvider) => Promise<unknown>>> = {
  writeFile: (provider) => provider.writeFile("/session/a", "late"),
  writeFileBytes: (provider) => provider.writeFileBytes("/session/new", Buffer.from("late")),
  appendFile: (provider) => provider.appendFile("/session/a", "late"),
  mkdir: (provider) => provider.mkdir("/session/late", true),
  rm: (provider) => provider.rm("/session/a", false, false),
  "rm of all": (provider) => provider.rm("/session", true, true),
  rename: (provider) => provider.rename("/session/a", "/session/late"),
  sqliteQuery: (provider) => provider.sqlite.query("run", "INSERT INTO t VALUES (1)"),
  "sqliteQuery that only seems to ask": (provider) =>
    provider.sqlite.query("query", "INSERT INTO t VALUES (1) RETURNING a"),
  sqliteTransaction: (provider) =>
    provider.sqlite.transaction([{ queryType: "run", query: "DELETE FROM t" }]),
};

describe("who has lost the lease", () => {
  const prepared = async (from: HubSessions): Promise<[CopilotSessionFsProvider, string]> => {
    const [provider, sessionId] = newSession(from);
    await provider.writeFile("/session/a", "a");
    await provider.sqlite.query("exec", "CREATE TABLE t (a); INSERT INTO t VALUES (0)");
    return [provider, sessionId];
  };
  const stateOf = async (id: string): Promise<unknown[]> => [
    (
      await admin.query(
        "SELECT path, size, content_id FROM hub.provider_entries WHERE session_id = $1 ORDER BY path",
        [id],
      )
    ).rows,
    (await admin.query("SELECT md5(body) FROM hub.provider_pieces WHERE session_id = $1 ORDER BY 1", [id]))
      .rows,
  ];

  it("changes nothing by any method, whether it ran out or was stolen", async () => {
    const [slow, thief] = [await another(), await another()];
    for (const how of ["ended", "stolen"]) {
      const [provider, id] = await prepared(slow);
      if (how === "ended")
        await admin.query("UPDATE hub.provider_leases SET expires_at = now() WHERE session_id = $1", [id]);
      await thief.take(id, { steal: how === "stolen" });
      const before = await stateOf(id);
      for (const [name, change] of Object.entries(CHANGES))
        await expect(change(provider), `${how}, ${name}`).rejects.toMatchObject({ code: "lease-lost" });
      expect(await stateOf(id)).toEqual(before);
      expect((await provider.sqlite.query("query", "SELECT a FROM t")).rows).toEqual([{ a: 0 }]);
      await thief.provider({ sessionId: id }).writeFile("/session/a", "theirs");
    }
  });

  it("races at each method with who takes over, and one of them wins as a whole", async () => {
    const [slow, thief] = [await another(), await another()];
    for (const [name, change] of Object.entries(CHANGES)) {
      const [provider, id] = await prepared(slow);
      const theirs = thief.provider({ sessionId: id });
      const [outcome] = await Promise.allSettled([
        change(provider),
        thief.take(id, { steal: true }).then(() => theirs.writeFile("/session/taken", "over")),
      ]);
      if (outcome.status === "rejected") expect(outcome.reason, name).toMatchObject({ code: "lease-lost" });
      // What is gone is looked for before it is written.
      const late = { code: name === "rm" && outcome.status === "fulfilled" ? "ENOENT" : "lease-lost" };
      await expect(change(provider), name).rejects.toMatchObject(late);
      expect(await theirs.readFile("/session/taken")).toBe("over");
      expect(await theirs.exists("/session/a")).toBe(
        outcome.status === "rejected" || !["rm", "rm of all", "rename"].includes(name),
      );
    }
  });

  it("was stopped as a process while another wrote, and does not write when it goes on", async () => {
    const id = randomUUID();
    const script = builtHubProgram("appending");
    const child = spawn(process.execPath, [script, urlOf(hub), account.token, id, "1000", "2000"], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    const [told, failed]: [string[], string[]] = [[], []];
    child.stdout.setEncoding("utf8").on("data", (text: string) => void told.push(text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => void failed.push(text));
    const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
    await expect.poll(() => told.join("").split("\n").length, { timeout: 20_000 }).toBeGreaterThan(5);
    child.kill("SIGSTOP");
    // Its lease runs out by itself; nobody steals it.
    await expect.poll(() => sessions.take(id).catch(() => "busy"), { timeout: 20_000 }).toBe(undefined);
    const provider = sessions.provider({ sessionId: id });
    await provider.writeFile(EVENTS, "taken over\n");
    child.kill("SIGCONT");
    await ended;
    expect(failed.join("")).toContain("has taken over session");
    expect(await provider.readFile(EVENTS)).toBe("taken over\n");
  });
});

describe("a lease", () => {
  it("outlives a single write that takes longer than it lasts", async () => {
    const id = randomUUID();
    const lease = await takeLease(hub.db, account.who, id, { holder: "slow", ttlMs: 400 });
    await lease.write(async (tx) => {
      await tx.query("SELECT pg_sleep(1)");
    });
    await expect(takeLease(hub.db, account.who, id, { holder: "other" })).rejects.toMatchObject({
      code: "session-busy",
    });
    await lease.write(async () => undefined);
    await lease.release();
  });

  it("ends with its token, which is said as what it is, and no file seems to be gone", async () => {
    const ended = await newAccount(hub);
    const lost: unknown[] = [];
    const holder = await another({
      token: ended.token,
      leaseMs: 600,
      onLost: (_, error) => void lost.push(error),
    });
    const [provider, sessionId] = newSession(holder);
    await provider.writeFile(EVENTS, "1\n");
    await admin.query("UPDATE hub.tokens SET revoked_at = now() WHERE account_id = $1", [ended.who.account]);
    const refused = { code: "not-signed-in" };
    await expect(provider.appendFile(EVENTS, "2\n")).rejects.toMatchObject(refused);
    await expect(provider.readFile(EVENTS)).rejects.toMatchObject(refused);
    await expect(provider.readdir("/session")).rejects.toMatchObject(refused);
    await expect(provider.exists(EVENTS)).rejects.toMatchObject(refused);
    await expect(holder.take(randomUUID())).rejects.toMatchObject(refused);
    // An application that is told "no such file" may begin the session anew.
    await expect(holder.handlers["sessionFs.exists"]?.({ sessionId, path: EVENTS })).rejects.toMatchObject(
      refused,
    );
    await expect.poll(() => lost).toMatchObject([refused]);
  });
});

describe("the session's database", () => {
  it("reaches no file and no limit of the process, whatever a statement says", async () => {
    const [{ sqlite }] = newSession();
    const file = join(tmpdir(), `${randomUUID()}.db`);
    await sqlite.query("exec", "CREATE TABLE t (a)");
    for (const query of [
      `VACUUM INTO '${file}'`,
      `ATTACH '${file}' AS other`,
      "PRAGMA hard_heap_limit = 1",
      "PRAGMA soft_heap_limit = 1",
      `PRAGMA temp_store_directory = '${tmpdir()}'`,
    ])
      await expect(sqlite.query("exec", query), query).rejects.toThrow(/not authorized|authorization denied/);
    expect(existsSync(file)).toBe(false);
    expect((await sqlite.query("query", "SELECT count(*) AS n FROM t")).rows).toEqual([{ n: 0 }]);
  });

  it("counts under concurrent calls, and with two who take turns", async () => {
    const [one, two] = [await another(), await another()];
    const [provider, id] = newSession(one);
    await provider.sqlite.query("exec", "CREATE TABLE t (n INTEGER); INSERT INTO t VALUES (0)");
    const add = (from: CopilotSessionFsProvider) => from.sqlite.query("run", "UPDATE t SET n = n + 1");
    await Promise.all([add(provider), add(provider), add(one.provider({ sessionId: id })), add(provider)]);
    await one.release(id);
    await add(two.provider({ sessionId: id }));
    await two.release(id);
    const third = one.provider({ sessionId: id });
    await Promise.all([add(third), add(third)]);
    expect((await provider.sqlite.query("query", "SELECT n FROM t")).rows).toEqual([{ n: 7 }]);
  });

  it("is never empty to who reads while another writes", async () => {
    const [provider, session] = newSession();
    await provider.sqlite.query("exec", "CREATE TABLE t (a); INSERT INTO t VALUES (1)");
    let writes = 0;
    const reader = openSessionDatabase(
      { account: account.who.account, session },
      {
        write: () => Promise.reject(new Error("only reads")),
        read: (work) =>
          hub.db.as(account.who, (tx) =>
            work({
              ...tx,
              query: async (sql, values) => {
                const rows = await tx.query(sql, values);
                // Between looking for the file and reading its bytes, another puts a new one in its place.
                if (sql.includes("provider_entries") && writes++ < 1)
                  await provider.sqlite.query("run", "UPDATE t SET a = a + 1");
                return rows;
              },
            }),
          ),
      },
    );
    const [answer] = await reader.run([{ queryType: "query", query: "SELECT a FROM t" }]);
    expect(answer?.rows).toEqual([{ a: 1 }]);
    reader.close();
  });

  it("is read where it is sound, and says so where its file was damaged", async () => {
    const [provider] = newSession();
    await provider.writeFile("/session/session.db", "this is no database".repeat(100));
    await expect(provider.sqlite.query("query", "SELECT 1 FROM t")).rejects.toThrow(/not a database/);
    await provider.rm("/session/session.db", false, false);
    await provider.sqlite.query("exec", "CREATE TABLE t (a)");
    await provider.rename("/session/session.db", "/session/other.db");
    await expect(provider.sqlite.query("query", "SELECT 1 FROM t")).rejects.toThrow(/no such table/);
    await provider.rename("/session/other.db", "/session/session.db");
    expect((await provider.sqlite.query("query", "SELECT 1 FROM t")).rows).toEqual([]);
  });
});

describe("a database whose connections break", () => {
  const cut = () =>
    admin.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'rethread_app' AND datname = current_database()",
    );

  it("in the middle of anything loses nothing that was acknowledged, does nothing twice, and hides nothing", async () => {
    const holder = await another();
    const [provider, sessionId] = newSession(holder);
    await provider.sqlite.query("exec", "CREATE TABLE t (n INTEGER); INSERT INTO t VALUES (0)");
    await provider.writeFile("/session/there", "yes");
    const acknowledged: number[] = [];
    let isOver = false;
    const cutting = (async () => {
      for (let cuts = 0; cuts < 5; cuts++) {
        await new Promise((resolve) => setTimeout(resolve, 25));
        await cut();
      }
      isOver = true;
    })();
    for (let n = 0; !isOver || n < 3; n++) {
      const [appended, added, exists, content] = await Promise.all([
        provider.appendFile(EVENTS, `${n}\n`).then(() => n),
        provider.sqlite.query("run", "UPDATE t SET n = n + 1"),
        holder.handlers["sessionFs.exists"]?.({ sessionId, path: "/session/there" }),
        provider.readFile("/session/there"),
      ]);
      acknowledged.push(appended);
      expect([added.rowsAffected, exists, content]).toEqual([1, { exists: true }, "yes"]);
    }
    await cutting;
    expect(await provider.readFile(EVENTS)).toBe(acknowledged.map((n) => `${n}\n`).join(""));
    expect((await provider.sqlite.query("query", "SELECT n FROM t")).rows).toEqual([
      { n: acknowledged.length },
    ]);
  });

  it("for good does not keep a program from closing", async () => {
    const holder = await openHubSessions({ url: urlOf(hub), token: account.token });
    const [provider] = newSession(holder);
    await provider.writeFile(EVENTS, "1\n");
    await admin.query(`ALTER DATABASE ${hub.place.database} CONNECTION LIMIT 0`);
    try {
      await cut();
      await holder.close();
      await expect(provider.readFile(EVENTS)).rejects.toThrow();
    } finally {
      await admin.query(`ALTER DATABASE ${hub.place.database} CONNECTION LIMIT -1`);
    }
  });
});
