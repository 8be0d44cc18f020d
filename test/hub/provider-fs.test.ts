/** Sessions kept in the hub's database are files like others, and only one writes them at a time. */
import { randomBytes, randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openHubDatabase } from "../../src/hub/database/connect.ts";
import { type Lease, takeLease } from "../../src/hub/provider/lease.ts";
import { MANY } from "../../src/hub/provider/pieces.ts";
import { folderOf, PROVIDER_HOME } from "../../src/hub/provider/places.ts";
import { openSessionFs } from "../../src/hub/provider/sessions.ts";
import { AppError } from "../../src/model/errors.ts";
import type { SessionFs } from "../../src/platform/fs/session-fs.ts";
import { describeSessionFs } from "../contracts/session-fs-suite.ts";
import { newAccount, type TestAccount } from "./account.ts";
import { newHub, type TestHub } from "./cluster.ts";

let hub: TestHub;
let one: TestAccount;
const opened: Lease[] = [];
let contract: { fs: SessionFs; base: string };

beforeAll(async () => {
  hub = await newHub();
  one = await newAccount(hub);
  const { fs, folder } = await newSession();
  contract = { fs, base: folder };
});
afterAll(async () => {
  for (const lease of opened) await lease.release();
  await hub.close();
});

async function newSession(options: { ttlMs?: number; now?: () => number } = {}) {
  const id = randomUUID();
  const lease = await take(id, options);
  const fs = openSessionFs(hub.db, one.who, { lease, ...options });
  await fs.mkdir(folderOf(id));
  return { id, lease, fs, folder: folderOf(id) };
}

async function take(id: string, options: { ttlMs?: number; steal?: boolean; onLost?: () => void } = {}) {
  const lease = await takeLease(hub.db, one.who, id, { holder: "a test", ...options });
  opened.push(lease);
  return lease;
}

const rows = async (sql: string, id: string): Promise<number> => {
  const [row] = await hub.db.as(one.who, (tx) => tx.query(`SELECT count(*)::int AS n ${sql}`, [id]));
  return Number(row?.n);
};
const PIECES = "FROM hub.provider_pieces WHERE session_id = $1";

describeSessionFs("the hub", () => contract);

describe("files on the hub", () => {
  it("are appended to without being written again, in few rows and the same bytes", async () => {
    const { id, fs, folder } = await newSession();
    const parts: Buffer[] = [];
    for (let number = 0; number < MANY * 3 + 5; number++) {
      parts.push(randomBytes(1 + ((number * 7919) % 9000)));
      await fs.append(`${folder}/events.jsonl`, parts.at(-1) as Buffer);
    }
    const all = Buffer.concat(parts);
    expect(Buffer.from(await fs.read(`${folder}/events.jsonl`)).equals(all)).toBe(true);
    expect(await rows(PIECES, id)).toBeLessThan(MANY + 10);
    for (const [start, end] of [
      [0, 1],
      [262_143, 262_145],
      [300_000, 700_001],
      [all.length - 3, all.length + 9],
    ] as const)
      expect(Buffer.from(await fs.read(`${folder}/events.jsonl`, { start, end }))).toEqual(
        all.subarray(start, end),
      );
  });

  it("hold more than one row and one window", async () => {
    const { fs, folder, id } = await newSession();
    const bytes = randomBytes(2_700_000);
    await fs.write(`${folder}/a`, bytes);
    await fs.append(`${folder}/a`, bytes.subarray(0, 600_000));
    const found = Buffer.from(await fs.read(`${folder}/a`));
    expect(found.equals(Buffer.concat([bytes, bytes.subarray(0, 600_000)]))).toBe(true);
    await fs.write(`${folder}/a`, "short");
    expect(await rows(PIECES, id)).toBe(1);
    await fs.rm(`${folder}/a`);
    expect(await rows(PIECES, id)).toBe(0);
  });

  it("stay the same file when they are written, and are another one when renamed over", async () => {
    let time = 1000;
    const { fs, folder } = await newSession({ now: () => time });
    await fs.write(`${folder}/a`, "1");
    const before = await fs.stat(`${folder}/a`);
    time = 2000;
    await fs.append(`${folder}/a`, "2");
    expect(await fs.stat(`${folder}/a`)).toMatchObject({
      ino: before.ino,
      mtimeMs: 2000,
      birthtimeMs: 1000,
      size: 2,
    });
    await fs.write(`${folder}/b`, "3");
    await fs.rename(`${folder}/b`, `${folder}/a`);
    expect((await fs.stat(`${folder}/a`)).ino).not.toBe(before.ino);
  });

  it("are read to the end that they had, and not as a mixture of two", async () => {
    const { fs, folder } = await newSession();
    await fs.write(`${folder}/a`, Buffer.alloc(3 << 20, "a"));
    const grown = fs.chunks(`${folder}/a`);
    let size = 0;
    for await (const chunk of grown) {
      if (size === 0) await fs.append(`${folder}/a`, "more");
      size += chunk.length;
    }
    expect(size).toBe(3 << 20);
    await expect(async () => {
      let isFirst = true;
      for await (const _ of fs.chunks(`${folder}/a`)) {
        if (isFirst) await fs.write(`${folder}/a`, Buffer.alloc(4 << 20, "b"));
        isFirst = false;
      }
    }).rejects.toMatchObject({ code: "ESTALE" });
  });

  it("are listed as the home of a program, each account's own", async () => {
    const { id, fs } = await newSession();
    const other = await newAccount(hub);
    const theirs = openSessionFs(hub.db, other.who);
    expect(await fs.readdir(PROVIDER_HOME)).toEqual([{ name: "session-state", kind: "folder" }]);
    const sessions = await fs.readdir(`${PROVIDER_HOME}/session-state`);
    expect(sessions).toContainEqual({ name: id, kind: "folder" });
    expect(await theirs.readdir(`${PROVIDER_HOME}/session-state`)).toEqual([]);
    expect(await theirs.exists(folderOf(id))).toBe(false);
    // The right account by name, with a proof that is another's.
    const forged = openSessionFs(hub.db, { account: one.who.account, proof: other.who.proof });
    await expect(forged.exists(folderOf(id))).rejects.toMatchObject({ code: "not-signed-in" });
  });

  it("leave all else alone", async () => {
    const { fs, folder } = await newSession();
    await expect(fs.write("/etc/passwd", "x")).rejects.toMatchObject({ code: "EACCES" });
    await expect(fs.write(`${folder}/../../../x`, "x")).rejects.toMatchObject({ code: "EACCES" });
    await expect(fs.write(`${folderOf(randomUUID())}/a`, "x")).rejects.toMatchObject({ code: "EROFS" });
    await expect(fs.rename(`${folder}/a`, `${folderOf(randomUUID())}/a`)).rejects.toMatchObject({
      code: "EXDEV",
    });
  });

  it("are not written by who may only read", async () => {
    const reader = await newAccount(hub, ["read"]);
    const id = randomUUID();
    await expect(takeLease(hub.db, reader.who, id, { holder: "reader" })).rejects.toMatchObject({
      code: "hub-refused",
    });
    const anyway = hub.db.as(reader.who, (tx) =>
      tx.change("INSERT INTO hub.provider_leases (account_id, session_id) VALUES ($1, $2)", [
        reader.who.account,
        id,
      ]),
    );
    await expect(anyway).rejects.toThrow(/row-level security/);
  });
});

describe("a lease", () => {
  it("is refused while another has it, and is free once that is closed", async () => {
    const { id, lease } = await newSession();
    await expect(take(id)).rejects.toMatchObject({ code: "session-busy" });
    await lease.release();
    const next = await take(id);
    expect(next.token).toBe(lease.token + 1);
    await expect(lease.write(async () => undefined)).rejects.toMatchObject({ code: "lease-lost" });
  });

  it("keeps out who held it before it was stolen: nothing of theirs lands", async () => {
    const { id, fs, folder } = await newSession();
    await fs.append(`${folder}/events.jsonl`, "first\n");
    const thief = openSessionFs(hub.db, one.who, { lease: await take(id, { steal: true }) });
    await thief.append(`${folder}/events.jsonl`, "second\n");
    for (const late of [
      () => fs.append(`${folder}/events.jsonl`, "late\n"),
      () => fs.write(`${folder}/events.jsonl`, ""),
      () => fs.rm(folder),
      () => fs.rename(`${folder}/events.jsonl`, `${folder}/gone`),
    ])
      await expect(late()).rejects.toMatchObject({ code: "lease-lost" });
    expect(Buffer.from(await fs.read(`${folder}/events.jsonl`)).toString()).toBe("first\nsecond\n");
  });

  it("is lost when it runs out, even if nobody else took it", async () => {
    const { id, fs, folder } = await newSession();
    await hub.db.as(one.who, (tx) =>
      tx.change("UPDATE hub.provider_leases SET expires_at = clock_timestamp() WHERE session_id = $1", [id]),
    );
    await expect(fs.append(`${folder}/events.jsonl`, "late\n")).rejects.toMatchObject({ code: "lease-lost" });
    expect(await fs.exists(`${folder}/events.jsonl`)).toBe(false);
    expect((await take(id)).isLost).toBe(false);
  });

  it("is renewed while its holder is alive, who hears when it is gone", async () => {
    const id = randomUUID();
    const lost = new Promise<void>((resolve) => void take(id, { ttlMs: 300, onLost: () => resolve() }));
    const expiry = async (): Promise<number> => {
      const [row] = await hub.db.as(one.who, (tx) =>
        tx.query("SELECT expires_at FROM hub.provider_leases WHERE session_id = $1", [id]),
      );
      return (row?.expires_at as Date | undefined)?.getTime() ?? 0;
    };
    await expect.poll(expiry).toBeGreaterThan(0);
    const before = await expiry();
    await expect.poll(expiry).toBeGreaterThan(before);
    await take(id, { steal: true });
    await lost;
  });

  it("waits for a write that is under way when it is stolen, which then is there as a whole", async () => {
    const { id, lease, fs, folder } = await newSession();
    let proceed = (): void => undefined;
    const paused = new Promise<void>((resolve) => {
      proceed = resolve;
    });
    let isWriting = (): void => undefined;
    const writing = new Promise<void>((resolve) => {
      isWriting = resolve;
    });
    const slow = lease.write(async (tx) => {
      isWriting();
      await paused;
      await tx.query("SELECT 1");
      return "done";
    });
    await writing;
    let isStolen = false;
    const stealing = take(id, { steal: true }).then(() => {
      isStolen = true;
    });
    expect(await fs.exists(folder)).toBe(true);
    expect(isStolen).toBe(false);
    proceed();
    expect(await slow).toBe("done");
    await stealing;
  });

  it("does a write once whose answer is lost, however often it is tried", async () => {
    const id = randomUUID();
    const db = openHubDatabase(hub.place);
    let drops = 0;
    // The connection breaks right after the database has committed, before anybody hears of it.
    const unlucky: typeof db = {
      ...db,
      as: async (who, work) => {
        let isWrite = false;
        const answer = await db.as(who, (tx) =>
          work({
            ...tx,
            change: (sql, values) => {
              isWrite ||= sql.includes("provider_pieces");
              return tx.change(sql, values);
            },
          }),
        );
        if (isWrite && drops++ < 1) throw new AppError("database-unavailable", "gone", "Again");
        return answer;
      },
    };
    const lease = await takeLease(unlucky, one.who, id, { holder: "unlucky" });
    const fs = openSessionFs(unlucky, one.who, { lease });
    await fs.mkdir(folderOf(id));
    await fs.append(`${folderOf(id)}/events.jsonl`, "once\n");
    await fs.append(`${folderOf(id)}/events.jsonl`, "twice\n");
    expect(drops).toBeGreaterThan(1);
    expect(Buffer.from(await fs.read(`${folderOf(id)}/events.jsonl`)).toString()).toBe("once\ntwice\n");
    await lease.release();
    await db.close();
  });
});

describe("several changes", () => {
  it("of a program that has stopped in the middle are given up, and others go on", async () => {
    const admin = new pg.Client(hub.admin);
    await admin.connect();
    const { rows } = await admin.query("SELECT rolconfig FROM pg_roles WHERE rolname = 'rethread_app'");
    expect(rows[0].rolconfig).toEqual(
      expect.arrayContaining(["idle_in_transaction_session_timeout=60s", "transaction_timeout=300s"]),
    );
    await admin.query(
      `ALTER ROLE rethread_app IN DATABASE ${hub.place.database} SET idle_in_transaction_session_timeout = '100ms'`,
    );
    await admin.end();
    const db = openHubDatabase(hub.place);
    const [id, name] = [randomUUID(), randomUUID()];
    const { transactions } = openSessionFs(db, one.who);
    const begun = Promise.withResolvers<void>();
    const stopped = transactions?.run(name, [folderOf(id)], async (fs) => {
      await fs.mkdir(folderOf(id));
      begun.resolve();
      await new Promise(() => undefined);
    });
    await begun.promise;
    expect(await transactions?.settle(name)).toBe(false);
    await take(id);
    void stopped;
  });

  it("are one, or none", async () => {
    const { id, lease, fs, folder } = await newSession();
    await fs.write(`${folder}/a`, "a");
    const change = (name: string, fails: boolean) =>
      fs.transactions?.run(name, [`${folder}/a`], async (within) => {
        await within.write(`${folder}/a`, "changed");
        await within.write(`${folder}/b`, "new");
        expect(Buffer.from(await within.read(`${folder}/a`)).toString()).toBe("changed");
        expect(Buffer.from(await fs.read(`${folder}/a`)).toString()).not.toBe("changed");
        if (fails) throw new Error("half-way");
      });
    await expect(change("w0", false)).rejects.toMatchObject({ code: "session-busy" });
    await lease.release();
    await expect(change("w1", true)).rejects.toThrow("half-way");
    expect(await fs.transactions?.settle("w1")).toBe(false);
    expect(await fs.exists(`${folder}/b`)).toBe(false);
    await expect(change("w1", false)).rejects.toMatchObject({ code: "write-failed" });
    await change("w2", false);
    expect(await fs.transactions?.settle("w2")).toBe(true);
    expect(Buffer.from(await fs.read(`${folder}/b`)).toString()).toBe("new");
    expect((await take(id)).token).toBeGreaterThan(lease.token);
  });
});
