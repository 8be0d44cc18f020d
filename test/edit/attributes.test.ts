/** Extended attributes and ACLs of files stay with them through writes, undos and failures, or the write is refused. */
import {
  chmodSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { toHeader } from "../../src/bundle/tar.ts";
import { layOut, readAttributes } from "../../src/edit/apply/attributes.ts";
import type { Attributes, Planned } from "../../src/model/plan.ts";
import { type Disk, localDisk } from "../../src/platform/disk/disk.ts";
import { pathsIn } from "../owners.ts";
import { createEditHome, type EditHome, ID, lookAtAll } from "./home.ts";
import { createVsCodeHome, ELSEWHERE, type VsCodeHome } from "./vscode-home.ts";

const base64 = (value: string | readonly number[]): string => Buffer.from(value as string).toString("base64");
const acl = (...entries: readonly (readonly [tag: number, may: number, id: number])[]): string => {
  const bytes = Buffer.alloc(4 + 8 * entries.length);
  bytes.writeUInt32LE(2);
  for (const [i, [tag, may, id]] of entries.entries()) {
    bytes.writeUInt16LE(tag, 4 + 8 * i);
    bytes.writeUInt16LE(may, 6 + 8 * i);
    bytes.writeUInt32LE(id, 8 + 8 * i);
  }
  return bytes.toString("base64");
};
const NOBODY = 0xffffffff;
/** One user more may read. */
const ACCESS = acl([1, 6, NOBODY], [2, 4, 4321], [4, 4, NOBODY], [16, 4, NOBODY], [32, 0, NOBODY]);
/** In a folder of which everything that is made there inherits an ACL. */
const DEFAULT = acl([1, 7, NOBODY], [2, 7, 4321], [4, 5, NOBODY], [16, 7, NOBODY], [32, 5, NOBODY]);
const NOTED: Attributes = { "SCHILY.xattr.user.note": base64([0x78, 0x3d, 0x0a, 0x00, 0xff]) };
const OPEN: Attributes = { "SCHILY.xattr.system.posix_acl_access": ACCESS, ...NOTED };
const HANDED_DOWN: Attributes = { "SCHILY.xattr.system.posix_acl_default": DEFAULT };

/** A file that is there gets attributes; all else of it stays. */
async function set(path: string, attributes: Attributes): Promise<void> {
  const { mode, mtimeMs, size } = statSync(path);
  const bytes = statSync(path).isFile() ? readFileSync(path) : undefined;
  const kind = bytes ? "file" : "folder";
  await layOut(localDisk, [{ kind, path, mode, mtimeMs, size, attributes } as Planned], () => path);
  if (bytes) writeFileSync(path, bytes);
  chmodSync(path, mode & 0o777);
  utimesSync(path, mtimeMs / 1000, mtimeMs / 1000);
}

/** Systems and disks without attributes have nothing to lose; on them only what needs none is tried. */
async function areThere(attributes: Attributes): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), "rethread-attributes-"));
  try {
    await set(folder, attributes);
    const found = await readAttributes(localDisk, [folder]);
    return JSON.stringify(found?.get(folder)) === JSON.stringify(attributes);
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
const hasNotes = await areThere(NOTED);
const hasAcls = hasNotes && (await areThere(HANDED_DOWN));

const allIn = async (folder: string): Promise<Record<string, Attributes>> => {
  const paths = pathsIn(folder).filter((path) => !lstatSync(path).isSymbolicLink());
  return Object.fromEntries((await readAttributes(localDisk, paths)) ?? []);
};

let home: EditHome | VsCodeHome;
afterEach(() => home.remove());
const makeHome = (): EditHome => {
  const made = createEditHome();
  home = made;
  return made;
};

describe.runIf(hasNotes)("attributes of a session's files", () => {
  it("stay through a write and its undo", async () => {
    const made = makeHome();
    await set(made.file("workspace.yaml"), NOTED);
    await set(made.file("events.jsonl"), hasAcls ? OPEN : NOTED);
    const [before, attributes] = [lookAtAll(made.copilot), await allIn(made.copilot)];
    expect(Object.keys(attributes)).toHaveLength(2);
    const edit = made.edit(localDisk);
    await edit.apply(await edit.planCompact(ID, { keep: 1 }));
    expect(await allIn(made.copilot)).toEqual(attributes);
    expect(lookAtAll(made.copilot)).not.toEqual(before);
    await edit.apply(await edit.planUndo());
    expect(await allIn(made.copilot)).toEqual(attributes);
    expect(lookAtAll(made.copilot)).toEqual(before);
  });

  it("come back with a session that was deleted, and only to those that had them", async () => {
    const made = makeHome();
    await set(made.file("files", "run.sh"), hasAcls ? OPEN : NOTED);
    if (hasAcls) await set(made.file("files"), HANDED_DOWN);
    chmodSync(made.file("plan.md"), 0o400);
    await set(made.file("plan.md"), NOTED);
    const [before, attributes] = [lookAtAll(made.copilot), await allIn(made.copilot)];
    const edit = made.edit(localDisk);
    await edit.apply(await edit.planDelete(ID));
    await edit.apply(await edit.planUndo());
    expect(await allIn(made.copilot)).toEqual(attributes);
    expect(lookAtAll(made.copilot)).toEqual(before);
  });

  it("come back after a write that failed, where a file has but one name", async () => {
    const made = makeHome();
    await set(made.file("workspace.yaml"), NOTED);
    const before = lookAtAll(made.copilot);
    let isFailing = true;
    const sync = (folder: string): void => {
      localDisk.sync(folder);
      if (!isFailing || !folder.endsWith(ID)) return;
      isFailing = false;
      throw Object.assign(new Error("EIO: i/o error"), { code: "EIO" });
    };
    const edit = made.edit({ ...localDisk, alias: () => undefined, sync });
    await expect(edit.apply(await edit.planRename(ID, "New"))).rejects.toThrow("as it was before");
    expect(isFailing).toBe(false);
    expect(lookAtAll(made.copilot)).toEqual(before);
    expect(await allIn(made.copilot)).toEqual({ [made.file("workspace.yaml")]: NOTED });
  });

  it("move with a chat of VS Code, and back", async () => {
    const made = createVsCodeHome();
    home = made;
    const chat = made.file("chatSessions", `${ID}.jsonl`);
    await set(chat, NOTED);
    const edit = made.edit(localDisk);
    const { plan } = await edit.apply(await edit.planMove({ session: ID, to: ELSEWHERE, text: false }));
    expect(await allIn(made.user)).toEqual({ [plan.session.path]: NOTED });
    await edit.apply(await edit.planUndo());
    expect(await allIn(made.user)).toEqual({ [chat]: NOTED });
  });
});

/** A tar that tells of these attributes in every file. */
const telling =
  (attributes: Attributes): Disk["pack"] =>
  async (paths, take) => {
    const pax = new Map(
      Object.entries(attributes).map(([key, value]) => [key, Buffer.from(value, "base64")]),
    );
    for (const name of paths) take(toHeader({ name, kind: "file", size: 0, mode: 0, mtimeMs: 0, pax }));
  };

describe("attributes that", () => {
  it.each(["rename", "undo"])(
    "cannot be set refuse the write before anything is changed: %s",
    async (name) => {
      const made = makeHome();
      const disk: Disk = { ...localDisk, pack: telling(NOTED) };
      const edit = made.edit({ ...disk, unpack: async () => false });
      if (name === "undo") await edit.apply(await edit.planDelete(ID));
      const before = lookAtAll(made.copilot);
      const plan = name === "undo" ? await edit.planUndo() : await edit.planRename(ID, "New");
      await expect(edit.apply(plan)).rejects.toMatchObject({
        code: "permission-denied",
        message: expect.stringContaining("has the attribute user.note, which this write could not keep"),
      });
      expect(lookAtAll(made.copilot)).toEqual(before);
    },
  );

  it("were set wrongly refuse it as well", async () => {
    const made = makeHome();
    const before = lookAtAll(made.copilot);
    let asked = 0;
    const pack: Disk["pack"] = (paths, take) => telling(asked++ === 0 ? NOTED : {})(paths, take);
    const unpack: Disk["unpack"] = async (_, paths) => {
      for (const path of paths) writeFileSync(path, "");
      return true;
    };
    const edit = made.edit({ ...localDisk, pack, unpack });
    await expect(edit.apply(await edit.planRename(ID, "New"))).rejects.toThrow("could not keep");
    expect(lookAtAll(made.copilot)).toEqual(before);
  });

  it("the system manages itself are no reason to refuse, nor is a system that cannot tell", async () => {
    const managed = ["security.selinux", "system.nfs4_acl", "com.apple.provenance", "trusted.overlay.opaque"];
    const names = managed.map((name) => [`SCHILY.xattr.${name}`, base64("x")]);
    for (const pack of [
      telling(Object.fromEntries(names)),
      async () => undefined, // no tar
      (async (_, take) => void take(Buffer.from("usage: tar".repeat(100)))) satisfies Disk["pack"],
    ]) {
      const edit = makeHome().edit({ ...localDisk, pack, unpack: async () => false });
      const { plan } = await edit.apply(await edit.planRename(ID, "New"));
      expect(plan.steps.length).toBeGreaterThan(0);
      home.remove();
    }
  });

  it("nobody has cost one process for each write that changes or removes files, and none for one that adds", async () => {
    const made = makeHome();
    const asked: string[][] = [];
    const pack: Disk["pack"] = async (paths, take) => {
      asked.push([...paths]);
      await telling({})(paths, take);
    };
    const edit = made.edit({ ...localDisk, pack });
    await edit.apply(await edit.planClone(ID, {}));
    expect(asked).toEqual([]);
    await edit.apply(await edit.planDelete(ID));
    expect(asked).toHaveLength(1);
    await edit.apply(await edit.planUndo());
    expect(asked).toHaveLength(1);
  });
});
