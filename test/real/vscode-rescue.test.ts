/** Damaged stores of VS Code, all repaired by one write: its own loader then lists and opens every chat, and could go on saving it. */
import { createHash } from "node:crypto";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { EditCore } from "../../src/app/edit/core.ts";
import type { Write } from "../../src/app/edit-contract.ts";
import { lookAtUser, openEditing } from "../edit/vscode-home.ts";
import { type Damage, garble, ID, IDS, promptsLeft, writeSoundStore } from "./vscode-damaged-store.ts";
import { DAMAGES } from "./vscode-damages.ts";
import { isSound, type Judgement, judgeWorkspace } from "./vscode-judge.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "rethread-rescue-")));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const open = (user: string): EditCore => openEditing(user, `${user}-data`).edit();
const folderOf = (user: string, name: string): string =>
  join(user, "workspaceStorage", createHash("md5").update(name).digest("hex"));

/** Chats that have a file or an entry, but are not sound and listed. */
const faultsIn = ({ sessions, indexAccepted }: Judgement): unknown[] => [
  ...(indexAccepted ? [] : ["the list"]),
  ...sessions.filter((session) => !(isSound(session) && session.listed)),
];
const promptsOf = ({ sessions }: Judgement, id: string): string[] =>
  sessions.find((session) => session.id === id)?.turns?.map(({ user }) => user) ?? [];

it("finds nothing to do in a sound store", async () => {
  const user = join(root, "sound");
  writeSoundStore(folderOf(user, "sound"));
  expect(faultsIn(await judgeWorkspace(folderOf(user, "sound")))).toEqual([]);
  expect(await open(user).planRescueAll("vscode")).toMatchObject({ steps: [], repairs: [], losses: [] });
});

describe("one rescue of many stores", () => {
  const user = join(root, "damaged");
  const before = new Map<string, Judgement>();
  let looked: object;
  let written: Write;

  beforeAll(async () => {
    for (const [name, damage] of Object.entries(DAMAGES)) {
      const folder = folderOf(user, name);
      damage.does(writeSoundStore(folder));
      if (!damage.isTolerated) before.set(name, await judgeWorkspace(folder));
    }
    looked = lookAtUser(user);
    written = await open(user).apply(await open(user).planRescueAll("vscode"));
  });

  it.each(Object.entries(DAMAGES))("puts right %s", async (name, damage) => {
    if (!damage.isTolerated) expect(faultsIn(before.get(name) as Judgement)).not.toEqual([]);
    const after = await judgeWorkspace(folderOf(user, name));
    expect(faultsIn(after)).toEqual([]);
    const whole: Damage = { does: () => undefined };
    expect(IDS.map((id) => promptsOf(after, id))).toEqual([whole, damage, whole].map(promptsLeft));
  });

  it("leaves nothing more to do, and is undone by one undo", async () => {
    expect((await open(user).planRescueAll("vscode")).steps).toEqual([]);
    await open(user).apply(await open(user).planUndo(written.operation));
    expect(lookAtUser(user)).toEqual(looked);
  });
});

describe("clones of damaged chats", () => {
  const all = join(root, "cloned");
  const names = Object.keys(DAMAGES);
  /** Each has an editor of its own, as all chats have the same id. */
  const userOf = (name: string): string => join(all, String(names.indexOf(name)));
  const refused = new Map<string, string>();
  const clones = new Map<string, Write>();
  let looked: object;

  beforeAll(async () => {
    for (const [name, { does }] of Object.entries(DAMAGES))
      does(writeSoundStore(folderOf(userOf(name), name)));
    looked = lookAtUser(all);
    for (const name of names) {
      const edit = open(userOf(name));
      try {
        clones.set(name, await edit.apply(await edit.planClone(`vscode:${ID}`, {})));
      } catch (error) {
        refused.set(name, (error as { code: string }).code);
      }
    }
  });

  it("are refused only where there is no chat to copy, or no list to put it into", () => {
    const left = [...refused].filter(([, code]) => code !== "list-damaged").map(([name]) => name);
    expect(left.filter((name) => DAMAGES[name]?.left !== null)).toEqual([
      "a file that is gone, with a transcript",
      "a database that is gone",
    ]);
  });

  it("open in VS Code, and say what was repaired, while the original is not touched", async () => {
    for (const [name, { plan }] of clones) {
      const judged = await judgeWorkspace(folderOf(userOf(name), name));
      const copy = judged.sessions.find(({ id }) => id === plan.session.id);
      expect.soft(copy && isSound(copy) && copy.listed, name).toBe(true);
      expect.soft(promptsOf(judged, plan.session.id), name).toEqual(promptsLeft(DAMAGES[name] as Damage));
    }
    const now = lookAtUser(all);
    expect(Object.entries(now).filter(([path]) => path in looked && path.includes(ID))).toEqual(
      Object.entries(looked).filter(([path]) => path.includes(ID)),
    );
  });
});

it("puts right logs that were garbled at random", async () => {
  const user = join(root, "garbled");
  const seeds = Array.from({ length: 30 }, (_, seed) => seed);
  for (const seed of seeds) garble(writeSoundStore(folderOf(user, String(seed))), seed);
  await open(user).apply(await open(user).planRescueAll("vscode"));
  for (const seed of seeds)
    expect.soft(faultsIn(await judgeWorkspace(folderOf(user, String(seed)))), `seed ${seed}`).toEqual([]);
  expect((await open(user).planRescueAll("vscode")).steps).toEqual([]);
});
