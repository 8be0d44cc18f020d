import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Artifact } from "../../model/session/session.ts";
import { localFs } from "../../platform/fs/local.ts";
import { openDatabase } from "../../platform/sqlite/sqlite.ts";
import { openStore, storePath } from "../open.ts";
import { keepFile } from "../vault/kept-file.ts";
import { type Archive, openArchive } from "./archive.ts";
import { removeUnnamed } from "./garbage.ts";
import { readLineage } from "./lineage.ts";
import { openState, statePath } from "./open.ts";

const now = () => new Date("2026-11-15T12:00:00Z");
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rethread-state-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const failure = (work: () => unknown): { code: string; message: string; hint: string } | undefined => {
  try {
    work();
    return undefined;
  } catch (error) {
    return error as { code: string; message: string; hint: string };
  }
};

describe("state.db", () => {
  it("knows which session was made from which, and is not made by asking", () => {
    expect(readLineage(folder, now)).toEqual([]);
    expect(existsSync(statePath(folder))).toBe(false);
    const db = openState(folder, now);
    const insert = db.prepare("INSERT INTO lineage VALUES (?, ?, ?, ?, ?, ?, ?)");
    insert.run("copilot-cli", "c", "vscode", "p", "handoff", "2026-11-02", null);
    insert.run("copilot-cli", "b", "copilot-cli", "a", "fork", "2026-11-01", "op-1");
    db.close();
    expect(readLineage(folder, now)).toEqual([
      {
        child: { source: "copilot-cli", id: "b" },
        parent: { source: "copilot-cli", id: "a" },
        kind: "fork",
        madeAt: "2026-11-01",
        operation: "op-1",
      },
      {
        child: { source: "copilot-cli", id: "c" },
        parent: { source: "vscode", id: "p" },
        kind: "handoff",
        madeAt: "2026-11-02",
      },
    ]);
  });

  it("holds a journal in which an operation is pending exactly as long as it has no end", () => {
    const db = openState(folder, now);
    const insert = db.prepare(
      "INSERT INTO journal (operation, kind, plan, state, began_at, ended_at) VALUES (?, 'fork', ?, ?, '2026-11-01', ?)",
    );
    insert.run("op-1", "{}", "pending", null);
    insert.run("op-2", "{}", "committed", "2026-11-01");
    for (const bad of [
      ["op-3", "no json", "pending", null],
      ["op-4", "{}", "pending", "2026-11-01"],
      ["op-5", "{}", "reverted", null],
      ["op-6", "{}", "forgotten", "2026-11-01"],
    ])
      expect(
        failure(() => insert.run(...(bad as [string, string, string, string | null]))),
        String(bad),
      ).toBeDefined();
    db.close();
  });

  it("is left exactly as it is when it is damaged, with a next step", () => {
    openState(folder, now).close();
    const bytes = readFileSync(statePath(folder));
    const damaged = Buffer.concat([Buffer.from("no database at all "), bytes.subarray(19)]);
    writeFileSync(statePath(folder), damaged);
    const { code, message, hint } = failure(() => openState(folder, now)) ?? {};
    expect(code).toBe("state-damaged");
    expect(message).toBe(
      `${statePath(folder)} is damaged; it holds what is recorded nowhere else, so it was not changed`,
    );
    expect(hint).toMatch(/from a backup/);
    expect(readFileSync(statePath(folder)).equals(damaged)).toBe(true);
    expect(readdirSync(folder).filter((name) => !/^state\.db(-wal|-shm)?$/.test(name))).toEqual([]);
  });

  it("refuses what a newer Rethread wrote, and leaves it as it is", () => {
    const db = openState(folder, now);
    db.exec("INSERT INTO migrations VALUES ('0999-later', '2030-01-01')");
    db.close();
    const before = readFileSync(statePath(folder));
    expect(failure(() => openState(folder, now))).toMatchObject({
      code: "store-newer",
      message: "state.db was written by a newer Rethread (0999-later)",
    });
    expect(readFileSync(statePath(folder)).equals(before)).toBe(true);
  });

  it("says that a folder cannot be written", () => {
    writeFileSync(join(folder, "file"), "");
    expect(failure(() => openState(join(folder, "file"), now))).toMatchObject({ code: "store-unusable" });
  });

  it("does not change by a byte, whatever goes wrong with the store", () => {
    openState(folder, now).close();
    const digest = () =>
      createHash("sha256")
        .update(readFileSync(statePath(folder)))
        .digest("hex");
    const before = digest();
    const open = () => openStore({ folder, now, notice: () => undefined });
    open().close();
    writeFileSync(storePath(folder), "no database at all ".repeat(100)); // set aside
    open().close();
    rmSync(storePath(folder)); // deleted
    open().close();
    const db = openDatabase(storePath(folder)); // newer
    db.exec("INSERT INTO migrations VALUES ('0999-later', '2030-01-01')");
    db.close();
    expect(failure(open)).toMatchObject({ code: "store-newer" });
    expect(digest()).toBe(before);
    expect(readdirSync(folder).filter((name) => name.startsWith("state"))).toEqual(["state.db"]);
  });
});

describe("the archive", () => {
  const artifact = (id: string): Artifact => ({
    source: "copilot-cli",
    id,
    root: "/home",
    path: join(folder, `${id}.jsonl`),
    fingerprint: { size: 5, mtimeMs: 1, ino: 2 },
    listed: { state: "orphan", title: "Found again" },
  });
  const withArchive = async (work: (archive: Archive) => Promise<void>): Promise<void> => {
    const archive = openArchive(folder, now);
    try {
      await work(archive);
    } finally {
      archive.close();
    }
  };
  const write = async (archive: Archive, id: string, text: string) => {
    writeFileSync(artifact(id).path, text);
    const [before] = archive.filesOf(artifact(id));
    return keepFile(archive.vault, localFs, artifact(id).path, before);
  };

  it("knows each session with its files, and which of them are gone", async () =>
    withArchive(async (archive) => {
      const file = await write(archive, "a", "hello");
      const copies = [
        { artifact: artifact("a"), files: [file] },
        { artifact: artifact("b"), files: [] },
      ];
      expect(await archive.put(copies)).toEqual([]);
      archive.setVanished(artifact("a"), "2026-11-01");
      const gone = { ...artifact("a"), vanishedAt: "2026-11-01" };
      expect(archive.sessions()).toEqual([gone, artifact("b")]);
      expect(archive.vanished()).toEqual([gone]);
      expect(archive.filesOf(artifact("a"))).toEqual([file]);
      archive.setVanished(artifact("a"), undefined);
      expect(archive.vanished()).toEqual([]);
      archive.forget(artifact("a"));
      expect(archive.sessions()).toEqual([artifact("b")]);
    }));

  it("drops the blocks that no version needs any more, but none that another file still has", async () =>
    withArchive(async (archive) => {
      const put = async (id: string, text: string) =>
        archive.put([{ artifact: artifact(id), files: [await write(archive, id, text)] }]);
      await put("a", "first");
      await put("b", "first");
      await put("a", "second one");
      archive.sweep("released");
      expect(archive.vault.hashes().length).toBe(2);
      archive.forget(artifact("b"));
      archive.sweep("released");
      expect(archive.vault.hashes()).toEqual(archive.filesOf(artifact("a"))[0]?.blocks);
    }));

  it("finds what killed processes left, when it looks everywhere", async () =>
    withArchive(async (archive) => {
      await archive.put([{ artifact: artifact("a"), files: [await write(archive, "a", "needed")] }]);
      await archive.vault.put(Buffer.from("put, but never named"));
      await archive.vault.flush();
      const half = join(folder, "vault", "tmp-999999999-0");
      writeFileSync(half, "half");
      archive.sweep("released");
      expect([archive.vault.hashes().length, existsSync(half)]).toEqual([2, true]);
      archive.sweep("everywhere");
      expect(existsSync(half)).toBe(false);
      expect(archive.vault.hashes()).toEqual(archive.filesOf(artifact("a"))[0]?.blocks);
    }));

  it("takes no file whose block somebody removed meanwhile", async () =>
    withArchive(async (archive) => {
      const file = await write(archive, "a", "hello");
      await archive.vault.flush();
      const db = openState(folder, now);
      expect(removeUnnamed(db, archive.vault, archive.vault.hashes())).toBe(1);
      db.close();
      const torn = { artifact: artifact("a"), files: [file] };
      const whole = { artifact: artifact("b"), files: [] };
      expect(await archive.put([torn, whole])).toEqual([torn]);
      expect(archive.sessions()).toEqual([artifact("b")]);
    }));
});
