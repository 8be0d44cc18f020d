/** Whoever runs a write, files keep their owner, group, mode and time, and undoing it puts all of them back. */
import {
  appendFileSync,
  chmodSync,
  lstatSync,
  lutimesSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, describe, expect, it } from "vitest";
import { createMigrateCore } from "../../src/app/migrate/core.ts";
import type { EditPlan } from "../../src/model/plan.ts";
import type { Disk } from "../../src/platform/disk/disk.ts";
import { foreign, giveAll, IS_ROOT, OTHER, pathsIn } from "../owners.ts";
import { hashTail } from "./guard.ts";
import { type EditHome, ID, lookAtAll } from "./home.ts";
import { homeFor, operationOf } from "./killing.ts";
import { quickDisk } from "./quick-disk.ts";
import { NOW } from "./source-homes.ts";
import { ID as CHAT, createVsCodeHome, ELSEWHERE, lookAtUser, type VsCodeHome } from "./vscode-home.ts";

let home: EditHome | VsCodeHome;
afterEach(() => home.remove());

/** A home of somebody else, below a folder of theirs, with our data folder in another one of theirs. */
function theirs(name = ""): EditHome {
  const made = homeFor({ name, disks: "one disk", place: tmpdir() });
  chmodSync(made.file("events.jsonl"), 0o640);
  if (name === "rescue") appendFileSync(made.file("events.jsonl"), '{"type":"user.mess');
  symlinkSync("plan.md", made.file("files", "a-link"));
  for (const folder of [dirname(made.copilot), dirname(made.data)]) giveAll(folder);
  home = made;
  return made;
}

/** Of what is there, and of what our own folder holds where root made it. */
const strangers = ({ copilot, data }: EditHome, names: readonly string[]): string[] => [
  ...foreign(dirname(copilot), names),
  ...(IS_ROOT ? foreign(dirname(data)) : []),
];

function changeJournal({ data }: EditHome, change: (plan: string) => string): void {
  const db = new DatabaseSync(join(data, "state.db"));
  const plan = String(db.prepare("SELECT plan FROM journal").get()?.plan);
  db.prepare("UPDATE journal SET plan = ?").run(change(plan));
  db.close();
}

const OPERATIONS = [
  "clone",
  "fork",
  "rewind",
  "rewind with files",
  "compaction",
  "checkpoint",
  "move",
  "rename",
  "delete",
  "rescue",
  "import",
];

describe("a write to the files of another owner", () => {
  it.each(OPERATIONS)("keeps owners, and so does its undo: %s", async (name) => {
    const made = theirs(name);
    const names = pathsIn(made.copilot);
    const before = lookAtAll(made.copilot);
    const edit = made.edit();
    const plan = await operationOf(name)(edit, made);
    expect(plan.steps.length).toBeGreaterThan(0);
    await edit.apply(plan);
    expect(strangers(made, names)).toEqual([]);
    if (name !== "delete") expect(lstatSync(made.file("events.jsonl")).mode & 0o777).toBe(0o640);
    await edit.apply(await edit.planUndo());
    expect(strangers(made, names)).toEqual([]);
    expect(lookAtAll(made.copilot)).toEqual(before);
    edit.close();
  });

  it("puts back what a failed write had replaced, also where a file has but one name", async () => {
    const made = theirs();
    const before = lookAtAll(made.copilot);
    const disk: Disk = { ...quickDisk, alias: () => undefined, sync: failAt("session-state") };
    await expect(made.edit(disk).apply(await made.edit().planRename(ID, "New"))).rejects.toThrow("i/o error");
    expect(lookAtAll(made.copilot)).toEqual(before);
    expect(strangers(made, pathsIn(made.copilot))).toEqual([]);
  });

  it.each(["rename", "delete"])("is refused where it could not keep an owner: %s", async (name) => {
    const made = theirs();
    const before = lookAtAll(made.copilot);
    const edit = made.edit({ ...quickDisk, canGive: () => false });
    await expect(edit.apply(await operationOf(name)(edit, made))).rejects.toMatchObject({
      code: "permission-denied",
      message: expect.stringContaining(`belongs to user ${OTHER.uid} and group ${OTHER.gid}`),
    });
    expect(lookAtAll(made.copilot)).toEqual(before);
  });

  it("makes a copy all the same where it cannot be given away", async () => {
    const made = theirs();
    const edit = made.edit({ ...quickDisk, canGive: () => false });
    const { plan } = await edit.apply(await edit.planClone(ID, {}));
    expect(lstatSync(plan.session.path).uid).toBe(process.geteuid?.());
  });

  it.each(["rename", "delete"])(
    "is undone where the home was given to another user since: %s",
    async (name) => {
      const made = homeFor({ name, disks: "one disk", place: tmpdir() });
      home = made;
      const before = lookAtAll(made.copilot);
      const edit = made.edit({ ...quickDisk, canGive: (_, { uid }) => uid !== 98_765 });
      await edit.apply(await operationOf(name)(edit, made));
      changeJournal(made, (plan) => plan.replaceAll(/"uid":\d+/g, '"uid":98765'));
      await edit.apply(await edit.planUndo());
      expect(lookAtAll(made.copilot)).toEqual(before);
      expect(lstatSync(made.file("workspace.yaml")).uid).toBe(process.geteuid?.());
    },
  );

  it("is undone although an older version noted no owners", async () => {
    const made = theirs();
    const before = lookAtAll(made.copilot);
    const edit = made.edit();
    await edit.apply(await edit.planRename(ID, "New"));
    changeJournal(made, (plan) => plan.replaceAll(/,"[ug]id":\d+/g, ""));
    await edit.apply(await edit.planUndo());
    expect(lookAtAll(made.copilot)).toEqual(before);
    expect(strangers(made, pathsIn(made.copilot))).toEqual([]);
  });
});

describe("times", () => {
  it("of folders and links are what they were once a write is undone", async () => {
    const made = theirs();
    const [folder, link] = [made.file(), made.file("files", "a-link")];
    lutimesSync(link, 1_700_000_000, 1_700_000_000);
    for (const path of [made.file("files"), folder]) utimesSync(path, 1_700_000_001.25, 1_700_000_002.25);
    const times = () => [folder, made.file("files"), link].map((path) => lstatSync(path).mtimeMs);
    const before = times();
    const edit = made.edit();
    for (const name of ["rename", "compaction", "delete"]) {
      await edit.apply(await operationOf(name)(edit, made));
      await edit.apply(await edit.planUndo());
      expect(times(), name).toEqual(before);
    }
  });
});

/** Once a step is taken in a folder, the disk fails for a moment. */
function failAt(name: string): Disk["sync"] {
  let isDone = false;
  return (folder) => {
    quickDisk.sync(folder);
    if (isDone || !folder.includes(name)) return;
    isDone = true;
    throw Object.assign(new Error("EIO: i/o error"), { code: "EIO" });
  };
}

describe("a home of another owner", () => {
  it("is theirs where it is copied to; an archive becomes that of the owner of its folder", async () => {
    const { copilot, data, catalog } = theirs();
    const folder = dirname(copilot);
    const guard = hashTail(catalog, data);
    const migrating = createMigrateCore({ catalog, home: data, now: () => NOW, folder, guard });
    for (const [from, to] of [
      [copilot, "copy"],
      [copilot, "home.tar.gz"],
      [join(folder, "home.tar.gz"), "back"],
    ] as const)
      await migrating.apply(await migrating.plan({ from, to, madeBy: "test" }));
    migrating.close();
    if (IS_ROOT) for (const path of [folder, dirname(data)]) expect(foreign(path)).toEqual([]);
    const modes = (path: string) => Object.entries(lookAtAll(path)).filter(([name]) => name !== ".");
    expect(modes(join(folder, "copy")).length).toBeGreaterThan(10);
    expect(lstatSync(join(folder, "back", "session-state", ID, "events.jsonl")).mode & 0o777).toBe(0o640);
  });
});

const VSCODE: Record<string, (made: VsCodeHome) => Promise<EditPlan>> = {
  clone: (made) => made.edit().planClone(CHAT, {}),
  "clone to a workspace that was never opened": (made) =>
    made.edit().planClone(CHAT, { to: dirname(made.user) }),
  rename: (made) => made.edit().planRename(CHAT, "New"),
  rewind: (made) => made.edit().planRewind(CHAT, 0),
  move: (made) => made.edit().planMove({ session: CHAT, to: ELSEWHERE, text: false }),
  delete: (made) => made.edit().planDelete(CHAT),
  rescue: (made) => made.edit().planRescueAll("vscode"),
};

describe("a write to VS Code's files of another owner", () => {
  it.each(Object.keys(VSCODE))("keeps owners, and so does its undo: %s", async (name) => {
    const made = createVsCodeHome();
    home = made;
    const chat = made.file("chatSessions", `${CHAT}.jsonl`);
    chmodSync(chat, 0o640);
    if (name === "rescue") {
      writeFileSync(made.file("state.vscdb"), "no database any more");
      chmodSync(made.file("state.vscdb"), 0o644);
    }
    for (const folder of [dirname(made.user), dirname(made.data)]) giveAll(folder);
    const names = pathsIn(made.user);
    const before = lookAtUser(made.user);
    const edit = made.edit();
    const plan = await VSCODE[name]?.(made);
    if (!plan) throw new Error("no plan");
    await edit.apply(plan);
    for (const folder of [dirname(made.user), dirname(made.data)]) expect(foreign(folder, names)).toEqual([]);
    if (name === "rescue") expect(lstatSync(made.file("state.vscdb")).mode & 0o777).toBe(0o644);
    if (name === "move") expect(lstatSync(plan.session.path).mode & 0o777).toBe(0o640);
    await edit.apply(await edit.planUndo());
    for (const folder of [dirname(made.user), dirname(made.data)]) expect(foreign(folder, names)).toEqual([]);
    expect(lookAtUser(made.user)).toEqual(before);
  });
});
