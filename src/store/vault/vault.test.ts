import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { localFs } from "../../platform/fs/local.ts";
import { BLOCK } from "./block.ts";
import { createVaultFs } from "./fs.ts";
import { type KeptFile, keepFile } from "./kept-file.ts";
import { openVault, type Vault } from "./vault.ts";

let folder: string;
let vault: Vault;
const stored = (): string[] =>
  readdirSync(join(folder, "vault"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rethread-vault-"));
  vault = openVault(folder);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Bytes that differ from block to block and do not compress to nothing. */
const log = (size: number): Buffer => {
  const line = (number: number): string => `{"line":${number},"text":"${(number * 2654435761) >>> 0}"}\n`;
  let text = "";
  for (let number = 0; text.length < size; number++) text += line(number);
  return Buffer.from(text).subarray(0, size);
};

it("gives back what was put, stores the same bytes once, and leaves it to its owner alone", async () => {
  const bytes = log(200_000);
  const hash = await vault.put(bytes);
  expect(await vault.put(bytes)).toBe(hash);
  expect(vault.has(hash)).toBe(false);
  await vault.flush();
  expect([vault.get(hash).equals(bytes), vault.has(hash), vault.has("00".repeat(32))]).toEqual([
    true,
    true,
    false,
  ]);
  const [path = "", ...others] = stored();
  expect(others).toEqual([]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(vault.bytes()).toBe(statSync(path).size);
  expect(vault.bytes()).toBeLessThan(bytes.length / 2);
  expect(vault.hashes()).toEqual([hash]);
  vault.remove(hash);
  expect(vault.hashes()).toEqual([]);
});

it("never gives back other bytes than were put", async () => {
  const hash = await vault.put(log(5000));
  const other = await vault.put(log(6000));
  await vault.flush();
  const [path, foreign] = [hash, other].map((each) => join(folder, "vault", each.slice(0, 2), each)) as [
    string,
    string,
  ];
  const good = readFileSync(path);
  const code = (work: () => unknown): string => {
    try {
      work();
      return "nothing thrown";
    } catch (error) {
      return (error as { code: string }).code;
    }
  };
  const damages: [string, () => void][] = [
    [
      "a flipped byte",
      () =>
        writeFileSync(
          path,
          good.map((byte, at) => (at === 500 ? byte ^ 1 : byte)),
        ),
    ],
    ["a torn end", () => truncateSync(path, 100)],
    ["an empty file", () => truncateSync(path, 0)],
    ["another block in its place", () => writeFileSync(path, readFileSync(foreign))],
    ["nothing at all", () => rmSync(path)],
  ];
  for (const [name, damage] of damages) {
    writeFileSync(path, good);
    damage();
    expect(
      code(() => vault.get(hash)),
      name,
    ).toBe("vault-damaged");
  }
});

it("writes a block again where the stored one is bad, and relies on none that it has not read", async () => {
  const bytes = log(5000);
  const hash = await vault.put(bytes);
  await vault.flush();
  const [path = ""] = stored();
  const good = readFileSync(path);
  const rot = (): void =>
    writeFileSync(
      path,
      good.map((byte, at) => (at === 100 ? byte ^ 1 : byte)),
    );
  for (const damage of [rot, () => truncateSync(path, 0), () => rmSync(path)]) {
    damage();
    const fresh = openVault(folder);
    expect(fresh.isWhole(hash)).toBe(false);
    expect(await fresh.put(bytes)).toBe(hash);
    await fresh.flush();
    expect([fresh.isWhole(hash), openVault(folder).get(hash).equals(bytes)]).toEqual([true, true]);
  }
});

it("notices at once when the disk does not give back what was written", async () => {
  await vault.put(log(5000));
  const [waiting = ""] = stored();
  truncateSync(waiting, 200);
  await expect(vault.flush()).rejects.toMatchObject({ code: "vault-damaged" });
});

it("reads a file again when a block that it shares with an earlier version is bad", async () => {
  const path = join(folder, "events.jsonl");
  const bytes = log(2 * BLOCK + 500);
  writeFileSync(path, bytes.subarray(0, 2 * BLOCK + 1));
  const first = await keepFile(vault, localFs, path);
  await vault.flush();
  const block = join(folder, "vault", first.blocks[0]?.slice(0, 2) ?? "", first.blocks[0] ?? "");
  for (const size of [2 * BLOCK + 1, 2 * BLOCK + 500]) {
    truncateSync(block, 100);
    if (size > first.size) appendFileSync(path, bytes.subarray(first.size));
    const fresh = openVault(folder);
    const kept = await keepFile(fresh, localFs, path, first);
    await fresh.flush();
    const read = await createVaultFs(openVault(folder), [kept]).read(path);
    expect(bytes.subarray(0, size).equals(read)).toBe(true);
  }
});

it("reads only some blocks of a large file each time, and comes by all of them as it grows", async () => {
  const path = join(folder, "events.jsonl");
  writeFileSync(path, log(3 * BLOCK));
  const first = await keepFile(vault, localFs, path);
  await vault.flush();
  const proven = new Set<string>();
  for (let grown = 0; grown < 3; grown++) {
    appendFileSync(path, "x");
    const spy = { ...openVault(folder) };
    await keepFile({ ...spy, isWhole: (hash) => Boolean(proven.add(hash)) }, localFs, path, first, 1);
    expect(proven.size).toBe(grown + 1);
    spy.abandon();
  }
});

it("removes what a killed process left half written, and only that", async () => {
  await vault.put(log(100));
  await vault.flush();
  const left = join(folder, "vault", "tmp-999999999-0");
  const running = join(folder, "vault", `tmp-${process.pid}-7`);
  for (const path of [left, running]) writeFileSync(path, "half");
  const other = openVault(folder);
  await other.put(log(101));
  await other.flush();
  expect([left, running].map((path) => stored().includes(path))).toEqual([false, true]);
});

it("keeps a file block by block, and reads and writes only what is new when it grew", async () => {
  const path = join(folder, "events.jsonl");
  const bytes = log(3 * BLOCK + 1000);
  const reads: [number, number][] = [];
  const fs = {
    stat: localFs.stat,
    chunks: (file: string, range?: { start: number; end?: number }) => {
      reads.push([range?.start ?? 0, (range?.end ?? 0) - (range?.start ?? 0)]);
      return localFs.chunks(file, range);
    },
  };
  const keep = async (size: number, before?: KeptFile): Promise<KeptFile> => {
    writeFileSync(path, bytes.subarray(0, size), { mode: 0o640 });
    reads.length = 0;
    const kept = await keepFile(vault, fs, path, before);
    await vault.flush();
    return kept;
  };
  const first = await keep(2 * BLOCK + 500);
  expect(first).toMatchObject({ path, size: 2 * BLOCK + 500, mode: 0o640 });
  expect(first.blocks.length).toBe(3);
  const before = vault.hashes();
  const second = await keep(3 * BLOCK + 1000, first);
  expect(second.blocks.slice(0, 2)).toEqual(first.blocks.slice(0, 2));
  expect(vault.hashes().length).toBe(before.length + 2);
  // One block to see that the file was only appended to, then what is new.
  expect(reads).toEqual([
    [BLOCK, BLOCK],
    [2 * BLOCK, BLOCK + 1000],
  ]);
  const kept = createVaultFs(vault, [second]);
  expect(Buffer.from(await kept.read(path)).equals(bytes)).toBe(true);
});

it("reads the whole file again when it was rewritten", async () => {
  const path = join(folder, "events.jsonl");
  writeFileSync(path, log(2 * BLOCK));
  const first = await keepFile(vault, localFs, path);
  const changed = log(2 * BLOCK + 10).map((byte, at) => (at % BLOCK === 7 ? 35 : byte));
  writeFileSync(path, changed);
  const second = await keepFile(vault, localFs, path, first);
  await vault.flush();
  expect(Buffer.from(await createVaultFs(vault, [second]).read(path)).equals(Buffer.from(changed))).toBe(
    true,
  );
});

it("lets kept files be read like files on a disk, and refuses to change them", async () => {
  const base = join(folder, "home");
  const bytes = log(2 * BLOCK + 77);
  const at = (name: string): string => join(base, name);
  const kept = ["a/log.jsonl", "a/empty", "a/deep/er/x"].map((name) => at(name));
  for (const path of kept) {
    await localFs.mkdir(join(path, ".."));
    await localFs.write(path, path.endsWith("empty") ? "" : bytes);
  }
  const files: KeptFile[] = [];
  for (const path of kept) files.push(await keepFile(vault, localFs, path));
  await vault.flush();
  rmSync(base, { recursive: true });
  const fs = createVaultFs(vault, files);

  const whole: Buffer[] = [];
  for await (const chunk of fs.chunks(at("a/log.jsonl"), { start: 5, end: BLOCK + 9 }))
    whole.push(Buffer.from(chunk));
  expect(Buffer.concat(whole).equals(bytes.subarray(5, BLOCK + 9))).toBe(true);
  const across = { start: 2 * BLOCK - 3, end: 99 * BLOCK };
  expect(Buffer.from(await fs.read(at("a/log.jsonl"), across)).equals(bytes.subarray(across.start))).toBe(
    true,
  );
  expect((await fs.read(at("a/empty"))).length).toBe(0);
  expect(await fs.readdir(at("a"))).toEqual([
    { name: "log.jsonl", kind: "file" },
    { name: "empty", kind: "file" },
    { name: "deep", kind: "folder" },
  ]);
  expect(await fs.stat(at("a/log.jsonl"))).toMatchObject({ kind: "file", size: bytes.length });
  expect(await fs.stat(at("a/deep"))).toMatchObject({ kind: "folder" });
  expect([await fs.exists(at("a/deep/er")), await fs.exists(at("b"))]).toEqual([true, false]);
  await expect(fs.read(at("a/none"))).rejects.toMatchObject({ code: "ENOENT" });
  await expect(fs.read(at("a"))).rejects.toMatchObject({ code: "EISDIR" });
  await expect(fs.readdir(at("a/empty"))).rejects.toMatchObject({ code: "ENOTDIR" });
  await expect(fs.write(at("a/log.jsonl"), "x")).rejects.toMatchObject({ code: "EROFS" });
});
