/** What a newer version of an agent's program wrote is read as far as it goes, said to be newer, and never changed. */
import { readFileSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { EditCore } from "../../src/app/edit/core.ts";
import type { EditPlan } from "../../src/model/plan.ts";
import { fixOf, type Problem } from "../../src/model/problem.ts";
import { readHeads } from "../../src/query/heads.ts";
import { type Catalog, collect } from "../../src/sources/catalog.ts";
import { bundleOf } from "./bundle.ts";
import { createEditHome, type EditHome, ID, lookAtAll } from "./home.ts";
import { recordFiles } from "./recorded-files.ts";
import {
  ID as CHAT,
  createVsCodeHome,
  INDEX_KEY,
  lookAtUser,
  OTHER,
  type VsCodeHome,
} from "./vscode-home.ts";

const codeOf = (work: Promise<unknown>): Promise<string | undefined> =>
  work.then(
    () => undefined,
    ({ code }: { code: string }) => code,
  );
const carryOut = async (edit: EditCore, plan: Promise<EditPlan>): Promise<unknown> => edit.apply(await plan);
const problemsOf = async (catalog: Catalog): Promise<Problem[]> => {
  const { heads, scanProblems } = await readHeads(catalog);
  return [...scanProblems, ...heads.flatMap(({ problems }) => problems)];
};
const newer = (problems: readonly Problem[]): string[] =>
  problems.flatMap(({ code, path, fix }) => (code === "format-newer" && fix ? [path] : []));

describe("a session of Copilot CLI", () => {
  let home: EditHome;
  beforeEach(() => {
    home = createEditHome();
  });
  afterEach(() => home.remove());
  const change = (name: string, from: string | RegExp, to: string): void => {
    const text = readFileSync(home.file(name), "utf8");
    expect(text).toMatch(from);
    writeFileSync(home.file(name), text.replace(from, to));
  };
  const CHANGES: Record<string, (edit: EditCore) => Promise<EditPlan>> = {
    clone: (edit) => edit.planClone(ID, {}),
    fork: (edit) => edit.planFork(ID, { at: 0 }),
    rewind: (edit) => edit.planRewind(ID, 0),
    compact: (edit) => edit.planCompact(ID, { keep: 1 }),
    checkpoint: (edit) => edit.planCheckpoint(ID, {}),
    move: (edit) => edit.planMove({ session: ID, to: "/srv/shops", text: false }),
    rename: (edit) => edit.planRename(ID, "Other"),
    rescue: (edit) => edit.planRescue(ID),
    delete: (edit) => edit.planDelete(ID),
  };

  it("whose log has a higher version is not changed by any command, damaged or not", async () => {
    change("events.jsonl", '"version":1', '"version":2');
    change("events.jsonl", '"content":"one"', '"text":"one"');
    writeFileSync(home.file("events.jsonl"), '{"torn', { flag: "a" });
    const before = lookAtAll(home.copilot);
    for (const [name, plan] of Object.entries(CHANGES))
      expect(await codeOf(carryOut(home.edit(), plan(home.edit()))), name).toBe("format-newer");
    expect(lookAtAll(home.copilot)).toEqual(before);
    const problems = await problemsOf(home.catalog);
    expect(newer(problems)).toEqual([home.file("events.jsonl")]);
    // What records of a newer version must have is not known, and there is nothing to repair.
    expect(problems.map(({ code }) => code)).not.toContain("record-invalid");
    expect(problems.map(fixOf).join()).not.toContain("rescue");
  });

  it("with events of types that nobody knows is no newer one, and they stay", async () => {
    const before = readFileSync(home.file("events.jsonl"), "utf8");
    await home.edit().apply(await home.edit().planRename(ID, "Other"));
    expect(readFileSync(home.file("events.jsonl"), "utf8")).toBe(before);
    expect(newer(await problemsOf(home.catalog))).toEqual([]);
  });

  it("comes in as it is, but not under another id", async () => {
    change("events.jsonl", '"version":1', '"version":2');
    const bundle = await bundleOf(home);
    expect(await codeOf(home.edit().planImport(bundle, { newId: true }))).toBe("format-newer");
    expect((await home.edit().planImport(bundle, {})).steps).toEqual([]);
  });

  it("keeps a newer record of file states to the byte, or is not changed", async () => {
    recordFiles(home);
    const index = "rewind-file-snapshots/index.json";
    change(index, /"schema":\s*1/, '"schema":2');
    const before = readFileSync(home.file(index), "utf8");
    expect(newer(await problemsOf(home.catalog))).toEqual([home.file(index)]);
    const edit = home.edit();
    for (const plan of [
      () => edit.planFork(ID, { at: 0 }),
      () => edit.planMove({ session: ID, to: "/srv/shops", text: false }),
      () => edit.planRewind(ID, 0, { files: true }),
      () => edit.planClone(ID, { dropOldest: { percent: 50 } }),
    ])
      expect(await codeOf(plan())).toBe("format-newer");
    await edit.apply(await edit.planRename(ID, "Other"));
    await edit.apply(await edit.planRewind(ID, 0));
    expect(readFileSync(home.file(index), "utf8")).toBe(before);
  });

  it("gets no row in a table of checkpoints with other columns", async () => {
    change("checkpoints/index.md", "| # | Title | File |", "| # | Title | File | Model |");
    expect(newer(await problemsOf(home.catalog))).toEqual([home.file("checkpoints/index.md")]);
    expect(await codeOf(home.edit().planCheckpoint(ID, {}))).toBe("format-newer");
  });
});

describe("a chat of VS Code", () => {
  let home: VsCodeHome;
  beforeEach(() => {
    home = createVsCodeHome();
  });
  afterEach(() => home.remove());
  const log = (): string => home.file("chatSessions", `${CHAT}.jsonl`);
  const list = (value?: string): string => {
    const db = new DatabaseSync(home.file("state.vscdb"));
    try {
      if (value !== undefined)
        db.prepare("UPDATE ItemTable SET value = ? WHERE key = ?").run(value, INDEX_KEY);
      return String(db.prepare("SELECT value FROM ItemTable WHERE key = ?").get(INDEX_KEY)?.value);
    } finally {
      db.close();
    }
  };
  const CHANGES: Record<string, (edit: EditCore) => Promise<EditPlan>> = {
    clone: (edit) => edit.planClone(CHAT, {}),
    fork: (edit) => edit.planFork(CHAT, { at: 0 }),
    rewind: (edit) => edit.planRewind(CHAT, 0),
    rename: (edit) => edit.planRename(CHAT, "Other"),
    delete: (edit) => edit.planDelete(CHAT),
  };
  const expectUnchanged = async (changes = CHANGES): Promise<void> => {
    const before = lookAtUser(home.user);
    for (const [name, plan] of Object.entries(changes))
      expect(await codeOf(carryOut(home.edit(), plan(home.edit()))), name).toBe("format-newer");
    const rescue = await home.edit().planRescueAll("vscode");
    expect(rescue.losses.join()).toContain("newer than this rethread knows");
    await home.edit().apply(rescue);
    expect(lookAtUser(home.user)).toEqual(before);
  };

  it.each([
    ["a list of version 2", '{"version":2,"groups":[{"id":"a"}],"entries":{}}'],
    ["a list of version 2 with entries that would be damage today", '{"version":2,"entries":{"a":{"t":1}}}'],
  ])("is not changed below %s, and the list keeps every byte", async (_, value) => {
    list(value);
    writeFileSync(home.file("chatSessions", `${OTHER}.jsonl`), '{"torn', { flag: "a" });
    expect(newer(await problemsOf(home.catalog))).toEqual([home.file("state.vscdb")]);
    await expectUnchanged();
    expect(list()).toBe(value);
  });

  it("is not changed below a database of a newer form", async () => {
    const db = new DatabaseSync(home.file("state.vscdb"));
    db.exec("PRAGMA user_version = 2");
    db.close();
    expect(newer(await problemsOf(home.catalog))).toEqual([home.file("state.vscdb")]);
    await expectUnchanged();
  });

  it.each([
    ["of a kind that is not known", '{"kind":4,"k":["requests",0],"v":{"moved":1}}\n'],
    ["that makes it a session of a later version", '{"kind":1,"k":["version"],"v":4}\n'],
  ])("is not changed once it has a record %s, damaged or not", async (_, record) => {
    const text = readFileSync(log(), "utf8");
    writeFileSync(log(), `${text}${record}{"kind":2,"k":["nothing",7,"x"],"v":[1]}\n{"torn`);
    expect(newer(await problemsOf(home.catalog))).toEqual([log()]);
    const { artifacts } = await home.catalog.scan();
    const artifact = artifacts.find(({ id }) => id === CHAT);
    if (!artifact) throw new Error("it is not found any more");
    const { session, problems } = await collect(home.catalog, artifact);
    expect(session.turns).toBeGreaterThan(0);
    expect(problems.map(({ code }) => code)).not.toContain("record-invalid");
    await expectUnchanged({ ...CHANGES, rescue: (edit) => edit.planRescue(CHAT) });
    expect(list()).toContain(CHAT);
  });

  it.each(['{"kind":"4"}', '{"kind":-1}', '{"kind":1.5}', '{"kind":null}', '{"v":1}'])(
    "with %s in it is damaged, not newer, and is repaired",
    async (record) => {
      writeFileSync(log(), `${record}\n`, { flag: "a" });
      expect(newer(await problemsOf(home.catalog))).toEqual([]);
      expect((await home.edit().planRescue(CHAT)).steps).not.toEqual([]);
    },
  );

  it("says so of a newer editing session, which is left alone", async () => {
    const state = home.file("chatEditingSessions", CHAT, "state.json");
    writeFileSync(state, '{"version":3,"timeline":{}}');
    expect(newer(await problemsOf(home.catalog))).toEqual([state]);
    await home.edit().apply(await home.edit().planRename(CHAT, "Other"));
    expect(readFileSync(state, "utf8")).toBe('{"version":3,"timeline":{}}');
  });
});
