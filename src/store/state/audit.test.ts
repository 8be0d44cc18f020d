import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { EditPlan } from "../../model/plan.ts";
import { localFs } from "../../platform/fs/local.ts";
import { keepFile } from "../vault/kept-file.ts";
import { openVault } from "../vault/vault.ts";
import { openArchive } from "./archive.ts";
import { type Audit, audit, glance } from "./audit.ts";
import { openJournal } from "./journal.ts";
import { statePath } from "./open.ts";

const now = (): Date => new Date("2026-11-15T12:00:00Z");
const session = { source: "copilot-cli", id: "aaaa-1" };
let folder: string;
let data: string;
const file = (name: string): string => join(folder, name);
const check = (repair = false): Promise<Audit> => audit(data, now, { fs: localFs, repair });
const blocks = (): string[] =>
  readdirSync(join(data, "vault"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
const flip = (path: string, at: number): void => {
  const bytes = readFileSync(path);
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
  writeFileSync(path, bytes);
};

/** A write with a backup of two files, and an archived session that shares one of them. */
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "rethread-audit-"));
  data = join(folder, "data");
  writeFileSync(file("aaaa-1.log"), '{"type":"user.message","content":"Paint the shed"}\n');
  writeFileSync(file("notes"), "green, not blue");
  const journal = openJournal(data, now);
  const keep = (name: string) => keepFile(journal.vault, localFs, file(name));
  const plan = { kind: "delete", title: "Shed", session, from: session } as unknown as EditPlan;
  await journal.begin("op1", plan, [await keep("aaaa-1.log"), await keep("notes")]);
  journal.close();
  const archive = openArchive(data, now);
  const path = file("aaaa-1.log");
  const artifact = { ...session, root: folder, path, fingerprint: { size: 1, mtimeMs: 1, ino: 1 } };
  await archive.put([{ artifact, files: [await keepFile(archive.vault, localFs, path)] }]);
  archive.close();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("finds a flipped byte at every place of every block, and tells what is affected", async () => {
  expect(await check()).toMatchObject({ blocks: 2, bad: [], strays: [], state: [] });
  const whole = new Map(blocks().map((path) => [path, readFileSync(path)]));
  const longest = Math.max(...[...whole.values()].map(({ length }) => length));
  for (let at = 0; at < longest; at++) {
    const hit = [...whole].filter(([, { length }]) => at < length).map(([path]) => path);
    for (const path of hit) flip(path, at);
    const { bad } = await check();
    expect(bad.map(({ path }) => path).sort(), `at ${at}`).toEqual(hit.sort());
    for (const path of hit) writeFileSync(path, whole.get(path) ?? "");
  }
  const [log = ""] = openLog();
  flip(log, 5);
  const { bad } = await check();
  expect(bad).toMatchObject([
    {
      path: log,
      needs: [
        { path: file("aaaa-1.log"), session },
        { path: file("aaaa-1.log"), session, write: { operation: "op1", kind: "delete", title: "Shed" } },
      ],
      copy: file("aaaa-1.log"),
      isRepaired: false,
    },
  ]);
});

/** The block of the log. */
const openLog = (): string[] => {
  const vault = openVault(data);
  return vault.hashes().flatMap((hash) => (vault.get(hash).includes("Paint") ? [vault.pathOf(hash)] : []));
};

it("repairs what the original still has, and only that", async () => {
  for (const path of blocks()) flip(path, 7);
  rmSync(file("notes"));
  const { bad } = await check(true);
  const fates = bad.map(({ copy, isRepaired }) => `${copy} ${isRepaired}`);
  expect(fates.sort()).toEqual([`${file("aaaa-1.log")} true`, "undefined false"]);
  expect((await check()).bad.map(({ needs }) => needs.map(({ path }) => path))).toEqual([[file("notes")]]);
  // Grown since: the bytes that were kept are still in it.
  writeFileSync(file("notes"), "green, not blue, and the door red");
  expect((await check(true)).bad).toMatchObject([{ copy: file("notes"), isRepaired: true }]);
  expect((await check()).bad).toEqual([]);
});

it("repairs from a block that lies under a wrong name, and names what does not belong there", async () => {
  const [log = ""] = openLog();
  const astray = join(data, "vault", "zz", "lost");
  mkdirSync(dirname(astray));
  renameSync(log, astray);
  rmSync(file("aaaa-1.log"));
  const readme = join(data, "vault", "README");
  writeFileSync(readme, "hello");
  const { bad, strays } = await check(true);
  expect(strays.toSorted()).toEqual([readme, astray]);
  expect(bad).toMatchObject([{ path: log, copy: astray, isRepaired: true }]);
  expect((await check()).bad).toEqual([]);
});

it("sees at a glance what is missing, empty or of a size that no block has", () => {
  expect(glance(data, now)).toEqual([]);
  const [one = "", two = ""] = blocks().sort();
  writeFileSync(one, "");
  rmSync(two);
  expect(glance(data, now).map(({ path }) => path)).toEqual([one, two]);
  mkdirSync(two);
  expect(glance(data, now).length).toBe(2);
});

it("removes a damaged block that nothing needs, and no other", async () => {
  const vault = openVault(data);
  const hash = await vault.put(Buffer.from("left by a process that was killed"));
  await vault.flush();
  flip(vault.pathOf(hash), 3);
  expect((await check()).bad).toMatchObject([{ hash, needs: [], isRepaired: false }]);
  expect((await check(true)).bad).toMatchObject([{ hash, needs: [], isRepaired: true }]);
  expect(vault.hashes().length).toBe(2);
});

it("spares the blocks of a state.db that was moved away, so that it can be put back", async () => {
  const away = join(folder, "away.db");
  renameSync(statePath(data), away);
  const archive = openArchive(data, now);
  archive.sweep("everywhere");
  archive.close();
  for (const path of blocks()) flip(path, 5);
  expect((await check(true)).bad.map(({ isRepaired }) => isRepaired)).toEqual([false, false]);
  for (const path of blocks()) flip(path, 5);
  rmSync(statePath(data));
  expect(await check(true)).toMatchObject({ blocks: 2, bad: [] });
  renameSync(away, statePath(data));
  expect(await check()).toMatchObject({ blocks: 2, bad: [] });
});

it("tells what is wrong with state.db", async () => {
  const db = new DatabaseSync(statePath(data));
  db.exec(
    "INSERT INTO errands (operation, source, session, path, rows) VALUES ('op1', 's', 'i', 'p', x'00')",
  );
  db.exec("PRAGMA ignore_check_constraints = 1; UPDATE journal SET plan = '{' WHERE operation = 'op1'");
  db.close();
  const { state } = await check();
  expect(state).toContain("the database rows kept by operation op1 cannot be read");
  expect(state).toContain("the plan of operation op1 cannot be read");
});
