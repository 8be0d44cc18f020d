/** kill -9 at every moment of a write to VS Code's files and list: the old state or the new one, and never a lost entry. */
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { EditApp } from "../../src/app/edit-contract.ts";
import { recover } from "../../src/edit/recover.ts";
import { unfinished } from "../../src/edit/stage.ts";
import type { EditPlan } from "../../src/model/plan.ts";
import { localDisk } from "../../src/platform/disk.ts";
import { localFs } from "../../src/platform/local-fs.ts";
import { compileChild, type KilledChild, wasDone } from "./killed-child.ts";
import { NOW } from "./source-homes.ts";
import {
  createVsCodeHome,
  ELSEWHERE,
  ID,
  INDEX_KEY,
  lookAtUser,
  OTHER,
  rowsOf,
  type VsCodeHome,
} from "./vscode-home.ts";

let child: KilledChild;
let home: VsCodeHome;
beforeAll(async () => {
  child = await compileChild();
});
afterEach(() => home.remove());
afterAll(() => child.remove());

const isKilled = (planFile: string, killAt: number): boolean => child.isKilled(home, planFile, killAt);

const writePlan = (plan: EditPlan): string => {
  const path = join(home.data, "..", "plan.json");
  writeFileSync(path, JSON.stringify(plan));
  return path;
};

interface List {
  readonly entries: Record<string, { isExternal?: boolean }>;
}

/** What must hold at every moment, whatever is half done. */
function checkList(): void {
  expect(Object.keys(checkEntries("."))).toEqual(expect.arrayContaining(["copilotcli:/x", OTHER]));
  checkEntries(join("..", ELSEWHERE));
  expect(rowsOf(home.file("state.vscdb"))["memento/other"]).toEqual({ type: "text", value: "not ours" });
}

/** No list names what is not there, and no folder holds what VS Code would take for a chat. */
function checkEntries(store: string): List["entries"] {
  const row = rowsOf(home.file(store, "state.vscdb"))[INDEX_KEY] as { list: List } | undefined;
  const sessions = home.file(store, "chatSessions");
  const names = existsSync(sessions) ? readdirSync(sessions) : [];
  const entries = row?.list.entries ?? {};
  for (const [id, { isExternal }] of Object.entries(entries))
    if (!isExternal) expect(names, "an entry without a file").toContain(`${id}.jsonl`);
  expect(names.filter((name) => !/^[0-9a-f-]{36}\.jsonl?$/.test(name))).toEqual([]);
  return entries;
}

const OPERATIONS: Record<string, (edit: EditApp) => Promise<EditPlan>> = {
  clone: (edit) => edit.planClone(ID, { name: "Copy" }),
  "clone into a folder that was never opened": (edit) => edit.planClone(ID, { to: unopened() }),
  fork: (edit) => edit.planFork(ID, { at: "0" }),
  "rewind in place": (edit) => edit.planRewind(ID, 0, { inPlace: true }),
  rename: (edit) => edit.planRename(ID, "Another: name"),
  move: (edit) => edit.planMove({ session: ID, to: ELSEWHERE, text: false }),
  "move into a folder that was never opened": (edit) =>
    edit.planMove({ session: ID, to: unopened(), text: false }),
  delete: (edit) => edit.planDelete(ID),
};

const isThorough = process.env.RETHREAD_FULL !== undefined;
/** These have all kinds of steps between them, and the move all of them turned around. */
const KILLED = [
  "clone into a folder that was never opened",
  "fork",
  "rewind in place",
  "rename",
  "move",
  "delete",
];
const CASES = Object.entries(OPERATIONS).filter(([name]) => isThorough || KILLED.includes(name));
const isUndone = (name: string): boolean => isThorough || name === "move";

function unopened(): string {
  const folder = join(home.user, "..", "never opened");
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** Gives back how often it was killed. The state that is wanted is known from doing it once. */
async function killEverywhere(
  makePlan: (edit: EditApp) => Promise<EditPlan>,
  reset: (edit: EditApp) => Promise<unknown>,
): Promise<number> {
  const edit = home.edit();
  const before = lookAtUser(home.user);
  let plan = await makePlan(edit);
  await edit.apply(plan);
  const after = lookAtUser(home.user);
  await reset(edit);
  expect(lookAtUser(home.user)).toEqual(before);
  const outcomes = new Set<string>();
  for (let killAt = 1; ; killAt++) {
    // A copy keeps its id; what changes in place has other files each time.
    if (plan.kind !== "clone" && plan.kind !== "fork") plan = await makePlan(edit);
    const wasKilled = isKilled(writePlan(plan), killAt);
    checkList();
    if (killAt % 3 === 0) isKilled("recover", 1 + (killAt % 7));
    await recover({ home: home.data, now: () => NOW, fs: localFs, disk: localDisk }, home.catalog);
    checkList();
    const isDone = wasDone(home, killAt);
    expect(lookAtUser(home.user), `killed at moment ${killAt}`).toEqual(isDone ? after : before);
    expect(unfinished(home.data)).toEqual([]);
    outcomes.add(isDone ? "new" : "old");
    if (!wasKilled) {
      expect(outcomes).toEqual(new Set(["old", "new"]));
      return killAt - 1;
    }
    if (isDone) await reset(edit);
  }
}

/** Where our own folder lies: beside the sessions, or on another disk, which a rename does not reach. */
const OTHER_DISK = "/dev/shm";
const isOtherDisk = existsSync(OTHER_DISK) && statSync(OTHER_DISK).dev !== statSync(tmpdir()).dev;
const undo = async (edit: EditApp) => edit.apply(await edit.planUndo());

describe("kill -9 at every moment", () => {
  it.each(CASES)(
    "leaves the old or the new state of a %s, and of its undoing",
    async (name, operation) => {
      home = createVsCodeHome();
      const kills = await killEverywhere(operation, undo);
      expect(kills).toBeGreaterThan(10);
      console.log(`${name}: ${kills} kills survived`);
      if (!isUndone(name)) return;
      home.remove();
      home = createVsCodeHome();
      const plan = await operation(home.edit());
      // A copy keeps its id; what changes in place has other files each time.
      const again = async (edit: EditApp) =>
        edit.apply(plan.kind === "clone" || plan.kind === "fork" ? plan : await operation(edit));
      await again(home.edit());
      const undone = await killEverywhere((edit) => edit.planUndo(), again);
      console.log(`undo of ${name}: ${undone} kills survived`);
      expect(undone).toBeGreaterThan(10);
    },
    900_000,
  );

  it("leaves the old or the new state with our own folder on another disk", async ({ skip }) => {
    if (!isOtherDisk) skip();
    home = createVsCodeHome(OTHER_DISK);
    const kills = await killEverywhere((edit) => edit.planDelete(ID), undo);
    expect(existsSync(join(home.user, ".rethread"))).toBe(false);
    expect(kills).toBeGreaterThan(10);
    expect(dirname(home.user)).not.toBe(OTHER_DISK);
  }, 900_000);
});
