/** kill -9 at every moment of a write to VS Code's files and list: the old state or the new one, and never a lost entry. */
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { EditCore } from "../../src/app/edit/core.ts";
import type { EditPlan } from "../../src/model/plan.ts";
import { changeValues } from "../../src/platform/sqlite/key-values.ts";
import { OTHER_DISK } from "../other-disk.ts";
import { killEverywhere } from "./every-moment.ts";
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

let home: VsCodeHome;
afterEach(() => home.remove());

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

const OPERATIONS: Record<string, (edit: EditCore) => Promise<EditPlan>> = {
  clone: (edit) => edit.planClone(ID, { name: "Copy" }),
  "clone into a folder that was never opened": (edit) => edit.planClone(ID, { to: unopened() }),
  fork: (edit) => edit.planFork(ID, { at: 0 }),
  "rewind in place": (edit) => edit.planRewind(ID, 0, { inPlace: true }),
  rename: (edit) => edit.planRename(ID, "Another: name"),
  move: (edit) => edit.planMove({ session: ID, to: ELSEWHERE, text: false }),
  "move into a folder that was never opened": (edit) =>
    edit.planMove({ session: ID, to: unopened(), text: false }),
  scrub: (edit) => edit.planScrub([ID]),
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
  "scrub",
  "delete",
];
const CASES = Object.entries(OPERATIONS).filter(([name]) => isThorough || KILLED.includes(name));
const isUndone = (name: string): boolean => isThorough || name === "move";

/** With a secret in the chat, in what the extension keeps of it, and in the list. */
function createHomeFor(name: string): VsCodeHome {
  const made = createVsCodeHome();
  if (name !== "scrub") return made;
  const secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
  for (const path of [`chatSessions/${ID}.jsonl`, `chatSessions/${ID}.json`]) {
    const text = readFileSync(made.file(path), "utf8");
    writeFileSync(made.file(path), text.replaceAll("Answer 0", `Answer 0 ${secret}`));
  }
  appendFileSync(
    made.file(`GitHub.copilot-chat/transcripts/${ID}.jsonl`),
    `{"type":"session.start","data":{"text":"${secret}"}}\n`,
  );
  const database = made.file("state.vscdb");
  const { list } = rowsOf(database)[INDEX_KEY] as { list: { entries: Record<string, object> } };
  Object.assign(list.entries[ID] as object, { title: `With ${secret}` });
  changeValues(database, "ItemTable", [], () => new Map([[INDEX_KEY, JSON.stringify(list)]]));
  return made;
}

function unopened(): string {
  const folder = join(home.user, "..", "never opened");
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** Gives back at how many moments it was killed. */
const kill = (plan: EditPlan): Promise<number> =>
  killEverywhere(home, { plan, look: () => lookAtUser(home.user), check: checkList });
const undo = async (): Promise<void> => void (await home.edit().apply(await home.edit().planUndo()));

describe("kill -9 at every moment", () => {
  it.each(CASES)(
    "leaves the old or the new state of a %s, and of its undoing",
    async (name, operation) => {
      home = createHomeFor(name);
      const before = lookAtUser(home.user);
      const kills = await kill(await operation(home.edit()));
      expect(kills).toBeGreaterThan(10);
      console.log(`${name}: killed at ${kills} moments`);
      await undo();
      expect(lookAtUser(home.user)).toEqual(before);
      if (!isUndone(name)) return;
      home.remove();
      home = createHomeFor(name);
      await home.edit().apply(await operation(home.edit()));
      const undone = await kill(await home.edit().planUndo());
      console.log(`undo of ${name}: killed at ${undone} moments`);
      expect(undone).toBeGreaterThan(10);
    },
    900_000,
  );

  it("leaves the old or the new state with our own folder on another disk", async ({ skip }) => {
    if (!OTHER_DISK) skip();
    home = createVsCodeHome(OTHER_DISK);
    const kills = await kill(await home.edit().planDelete(ID));
    expect(existsSync(join(home.user, ".rethread"))).toBe(false);
    expect(kills).toBeGreaterThan(10);
    expect(dirname(home.user)).not.toBe(OTHER_DISK);
  }, 900_000);
});
