/** Whatever a write replaced can be had back: by undoing it, by undoing the undo, or as a session of its own. */
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { EditCore } from "../../src/app/edit/core.ts";
import { prune } from "../../src/edit/backups/prune.ts";
import { recover } from "../../src/edit/undo/recover.ts";
import type { EditPlan } from "../../src/model/plan.ts";
import { localDisk } from "../../src/platform/disk/disk.ts";
import { localFs } from "../../src/platform/fs/local.ts";
import { readLineage } from "../../src/store/state/lineage.ts";
import { dyingAfterRenames, dyingDisk } from "./dying-disk.ts";
import { createEditHome, type EditHome, ID, lookAtAll } from "./home.ts";
import { NOW } from "./source-homes.ts";

let home: EditHome;
beforeEach(() => {
  home = createEditHome();
});
afterEach(() => home.remove());

const log = (): string => home.file("events.jsonl");
const prompt = (text: string): string =>
  `{"type":"user.message","data":{"content":"${text}"},"id":"33333333-0000-4000-8000-000000000001","timestamp":"2026-11-02T10:00:00.000Z","parentId":null}\n`;
const apply = async (plan: (edit: EditCore) => Promise<EditPlan>) => {
  const edit = home.edit();
  try {
    return await edit.apply(await plan(edit));
  } finally {
    edit.close();
  }
};
const failure = async (work: Promise<unknown>) => work.then(() => undefined).catch((error: unknown) => error);
/** Bytes alone: modes and times are what some of these tests change. */
const bytesOf = (folder: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(lookAtAll(folder)).map(([name, look]) => [name, look.replace(/^(\w+) \S+( \d+)?/, "$1")]),
  );

describe("undo", () => {
  it.each<[string, () => void]>([
    ["touched", () => utimesSync(log(), new Date(), new Date())],
    ["protected", () => chmodSync(log(), 0o644)],
    [
      "copied and put back",
      () => {
        cpSync(home.file(), `${home.file()}-copy`, { recursive: true });
        rmSync(home.file(), { recursive: true });
        renameSync(`${home.file()}-copy`, home.file());
      },
    ],
  ])("compares what files hold, so it works when they were %s", async (_, change) => {
    const before = bytesOf(home.copilot);
    const { operation } = await apply((edit) => edit.planCompact(ID, { keep: 1 }));
    change();
    await apply((edit) => edit.planUndo(operation));
    expect(bytesOf(home.copilot)).toEqual(before);
  });

  it("is refused when other bytes of the same number are there, at the same time", async () => {
    const { operation } = await apply((edit) => edit.planRename(ID, "Another name"));
    const path = home.file("workspace.yaml");
    writeFileSync(path, readFileSync(path, "utf8").replace("Another", "Changed"));
    expect(await failure(apply((edit) => edit.planUndo(operation)))).toMatchObject({ code: "changed-since" });
  });

  it("can be undone, as often as wished, with what was noted of the write", async () => {
    const before = lookAtAll(home.copilot);
    const fork = await apply((edit) => edit.planFork(ID, { at: 1 }));
    const forked = lookAtAll(home.copilot);
    const lineage = readLineage(home.data, () => NOW);
    expect(lineage).toHaveLength(1);
    const undo = await apply((edit) => edit.planUndo());
    expect(lookAtAll(home.copilot)).toEqual(before);
    expect(readLineage(home.data, () => NOW)).toEqual([]);
    const redo = await apply((edit) => edit.planUndo(undo.operation));
    expect(lookAtAll(home.copilot)).toEqual(forked);
    expect(readLineage(home.data, () => NOW)).toEqual(lineage);
    expect(await home.edit().history()).toMatchObject([
      { operation: redo.operation, state: "done", undoes: undo.operation },
      { operation: undo.operation, state: "undone" },
      { operation: fork.operation, state: "done" },
    ]);
    await apply((edit) => edit.planUndo());
    expect(lookAtAll(home.copilot)).toEqual(before);
    expect(await failure(apply((edit) => edit.planUndo(undo.operation)))).toMatchObject({
      code: "not-undoable",
    });
  });

  it("goes on with the write before, once a write was undone, done again and undone by that", async () => {
    const before = lookAtAll(home.copilot);
    await apply((edit) => edit.planRename(ID, "Another name"));
    const renamed = lookAtAll(home.copilot);
    await apply((edit) => edit.planFork(ID, { at: 1 }));
    const undo = await apply((edit) => edit.planUndo());
    const redo = await apply((edit) => edit.planUndo(undo.operation));
    await apply((edit) => edit.planUndo(redo.operation));
    expect(lookAtAll(home.copilot)).toEqual(renamed);
    expect(readLineage(home.data, () => NOW)).toEqual([]);
    await apply((edit) => edit.planUndo());
    expect(lookAtAll(home.copilot)).toEqual(before);
  });
});

describe("undoing a delete after its program has put a stub in the place of the session", () => {
  const stub = (): void => {
    mkdirSync(home.file("checkpoints"), { recursive: true });
    writeFileSync(home.file("workspace.yaml"), `id: ${ID}\n`);
    writeFileSync(log(), prompt("said after the delete"));
  };

  it("sets the stub aside, says so, and gives it back when it is undone", async () => {
    const before = lookAtAll(home.copilot);
    await apply((edit) => edit.planDelete(ID));
    stub();
    const stubbed = lookAtAll(home.copilot);
    const plan = await home.edit().planUndo();
    expect(plan.losses).toEqual([
      `what was put at ${home.file()} since then; it is kept, and undoing this operation restores it`,
    ]);
    const { operation } = await apply((edit) => edit.planUndo());
    expect(lookAtAll(home.copilot)).toEqual(before);
    await apply((edit) => edit.planUndo(operation));
    expect(lookAtAll(home.copilot)).toEqual(stubbed);
  });

  it("leaves the stub or the session, killed at any moment", async () => {
    const before = lookAtAll(home.copilot);
    await apply((edit) => edit.planDelete(ID));
    stub();
    const stubbed = lookAtAll(home.copilot);
    let kills = 0;
    for (let at = 1; ; at++) {
      const edit = home.edit(dyingDisk(({ number }) => number === at));
      if ((await failure(edit.apply(await edit.planUndo()))) === undefined) break;
      kills++;
      await recover({ home: home.data, now: () => NOW, fs: localFs, disk: localDisk }, home.catalog);
      // Once it is noted as done, only what staging holds is left to be cleared.
      if ((await home.edit().history())[0]?.undoes !== undefined && existsSync(home.file("plan.md"))) break;
      expect(lookAtAll(home.copilot)).toEqual(stubbed);
    }
    expect(kills).toBeGreaterThan(10);
    expect(lookAtAll(home.copilot)).toEqual(before);
  });
});

describe("a backup as a new session", () => {
  const folderOf = (id: string): string => join(home.copilot, "session-state", id);
  const newOnes = (): string[] =>
    readdirSync(join(home.copilot, "session-state")).filter((name) => name !== ID && !name.startsWith("."));
  const turns = (id: string): string[] =>
    readFileSync(join(folderOf(id), "events.jsonl"), "utf8")
      .trim()
      .split("\n")
      .flatMap((line) => {
        const { type, data } = JSON.parse(line);
        return type === "user.message" ? [data.content] : [];
      });

  it("is offered when a compacted session was continued, and has every turn and file of before", async () => {
    const plan = readFileSync(home.file("plan.md"));
    const { operation } = await apply((edit) => edit.planCompact(ID, { keep: 1 }));
    expect(turns(ID)).toEqual(["three"]);
    appendFileSync(log(), prompt("four"));
    const continued = lookAtAll(home.file());
    expect(await failure(home.edit().planUndo(operation))).toMatchObject({
      code: "changed-since",
      hint: `Get the earlier state as a new session: rethread undo ${operation} --as-copy`,
    });
    const copy = await apply((edit) => edit.planBackupCopy(operation));
    const { id } = copy.plan.session;
    expect(turns(id)).toEqual(["one", "two", "three"]);
    expect(readFileSync(join(folderOf(id), "plan.md"))).toEqual(plan);
    expect(readFileSync(join(folderOf(id), "workspace.yaml"), "utf8")).toContain(
      `(before compaction ${operation})`,
    );
    expect(lookAtAll(home.file())).toEqual(continued);
    expect(readLineage(home.data, () => NOW)).toMatchObject([{ child: { id }, parent: { id: ID } }]);
    await apply((edit) => edit.planUndo(copy.operation));
    expect(newOnes()).toEqual([]);
    expect(readdirSync(join(home.data, "unpacked"))).toEqual([]);
  });

  it("is made of all that later writes have kept, too", async () => {
    const { operation } = await apply((edit) => edit.planRename(ID, "Second name"));
    await apply((edit) => edit.planRewind(ID, 0));
    await apply((edit) => edit.planDelete(ID));
    const { plan } = await apply((edit) => edit.planBackupCopy(operation));
    expect(turns(plan.session.id)).toEqual(["one", "two", "three"]);
    expect(existsSync(join(folderOf(plan.session.id), "files", "run.sh"))).toBe(true);
  });

  it("does without the backups of later writes that are gone", async () => {
    const { operation } = await apply((edit) => edit.planCompact(ID, { keep: 1 }));
    const later = await apply((edit) => edit.planRename(ID, "Second name"));
    await home.edit().confirm(later.operation);
    const released = await prune(
      { home: home.data, now: () => NOW, fs: localFs, disk: localDisk },
      { days: 0, bytes: 0 },
    );
    expect(released.operations).toEqual([later.operation]);
    const { plan } = await apply((edit) => edit.planBackupCopy(operation));
    expect(turns(plan.session.id)).toEqual(["one", "two", "three"]);
    // Nor does it need anything of what is there now.
    rmSync(home.file(), { recursive: true });
    const again = await apply((edit) => edit.planBackupCopy(operation));
    expect(turns(again.plan.session.id)).toEqual(["one", "two", "three"]);
  });

  it("can be had of writes that were undone, and of undos", async () => {
    await apply((edit) => edit.planRewind(ID, 0));
    const { operation } = await apply((edit) => edit.planUndo());
    const rewound = await apply((edit) => edit.planBackupCopy(operation));
    expect(turns(rewound.plan.session.id)).toEqual(["one"]);
  });

  it("comes as it was where the session was damaged", async () => {
    const torn = readFileSync(log(), "utf8").replace(/^.*\n/, "");
    writeFileSync(log(), torn);
    const { operation } = await apply((edit) => edit.planDelete(ID));
    const { plan } = await apply((edit) => edit.planBackupCopy(operation));
    expect(readFileSync(plan.session.path, "utf8")).toBe(torn);
    await apply((edit) => edit.planRescue(plan.session.id));
    expect(turns(plan.session.id)).toEqual(["one", "two", "three"]);
  });

  it("is refused in words where a write took nothing from a session", async () => {
    const { operation } = await apply((edit) => edit.planClone(ID, {}));
    expect(await failure(apply((edit) => edit.planBackupCopy(operation)))).toMatchObject({
      code: "not-undoable",
      message: `Operation ${operation} (clone) did not change a session, so its backup has none`,
    });
  });
});

describe("a write of several sessions that is interrupted", () => {
  const CLONES = 3;
  const ids = async (): Promise<string[]> => {
    const all = [ID];
    for (let number = 0; number < CLONES; number++)
      all.push((await apply((edit) => edit.planClone(ID, { name: `Copy ${number}` }))).plan.session.id);
    return all;
  };
  const file = (id: string, name: string): string => join(home.copilot, "session-state", id, name);
  const isMoved = (id: string): "old" | "new" | "torn" => {
    const moved = ["events.jsonl", "workspace.yaml"].map((name) =>
      readFileSync(file(id, name), "utf8").includes("/srv/garden"),
    );
    return moved.every(Boolean) ? "new" : moved.some(Boolean) ? "torn" : "old";
  };
  const recoverAll = () =>
    recover({ home: home.data, now: () => NOW, fs: localFs, disk: localDisk }, home.catalog);
  /** Gives back what was done before the crash, and to which session the last of it belonged. */
  const crash = async (sessions: readonly string[], renames: number) => {
    const edit = home.edit(dyingAfterRenames(renames));
    const { steps, ...plan } = await edit.planMove({ session: sessions, to: "/srv/garden", text: false });
    expect(await failure(edit.apply({ ...plan, steps }))).toMatchObject({ code: "write-interrupted" });
    const [at = -1] = steps[renames - 1]?.sessions ?? [];
    return { at, all: steps.length, done: steps.slice(0, renames).map(({ path }) => path) };
  };

  it("leaves each session whole: those that were continued as they were meant to be, the others as before", async () => {
    for (let [renames, last] = [1, 1]; renames <= last; renames++) {
      home.remove();
      home = createEditHome();
      const sessions = await ids();
      const before = sessions.map((id) => bytesOf(join(home.copilot, "session-state", id)));
      const { at, all, done } = await crash(sessions, renames);
      last = all;
      // The session at which it stopped is continued, whether its log was replaced by then or not.
      const log = file(sessions[at] ?? "", "events.jsonl");
      appendFileSync(log, prompt("continued"));
      const [recovered] = await recoverAll();
      const expected = sessions.map((_, i) => (i === at && done.includes(log) ? "new" : "old"));
      expect(sessions.map(isMoved)).toEqual(expected);
      expect(readFileSync(file(sessions[at] ?? "", "events.jsonl"), "utf8")).toContain("continued");
      for (const [i, id] of sessions.entries())
        if (i !== at) expect(bytesOf(join(home.copilot, "session-state", id))).toEqual(before[i]);
      const became = sessions.map((id, i) => ({
        source: "copilot-cli",
        id,
        became: i === at ? "new" : "old",
      }));
      expect(recovered?.sessions).toEqual(became);
      const [write] = await home.edit().history();
      expect(write).toMatchObject({ kind: "move", state: "done", became });
      // What stays of it can still be had back.
      const copy = await apply((edit) => edit.planBackupCopy(write?.operation));
      expect(isMoved(copy.plan.session.id)).toBe("old");
    }
  });

  it("undoes a session that its program changed in another file too, and keeps what was added to its log", async () => {
    const sessions = await ids();
    const second = sessions[1] ?? "";
    const { done } = await crash(sessions, 4);
    expect(done.filter((path) => path.includes(second))).toEqual([file(second, "events.jsonl")]);
    const old = readFileSync(file(second, "workspace.yaml"), "utf8");
    appendFileSync(file(second, "events.jsonl"), prompt("continued"));
    writeFileSync(file(second, "workspace.yaml"), `${old}branch: other\n`);
    await recoverAll();
    expect(sessions.map(isMoved)).toEqual(["old", "old", "old", "old"]);
    expect(readFileSync(file(second, "events.jsonl"), "utf8")).toMatch(/shutdown.*\n.*continued.*\n$/);
    expect(readFileSync(file(second, "workspace.yaml"), "utf8")).toBe(`${old}branch: other\n`);
    expect((await home.edit().history())[0]).toMatchObject({ kind: "move", state: "failed" });
  });

  it("leaves alone what was changed in both files, and names it", async () => {
    const sessions = await ids();
    const second = sessions[1] ?? "";
    const { done } = await crash(sessions, 4);
    expect(done.filter((path) => path.includes(second))).toEqual([file(second, "events.jsonl")]);
    writeFileSync(file(second, "events.jsonl"), "something else\n");
    writeFileSync(file(second, "workspace.yaml"), "something: else\n");
    await recoverAll();
    expect(readFileSync(file(second, "events.jsonl"), "utf8")).toBe("something else\n");
    expect(sessions.filter((id) => id !== second).map(isMoved)).toEqual(["old", "old", "old"]);
    expect((await home.edit().history())[0]?.became?.find(({ id }) => id === second)?.became).toBe("mixed");
    const copy = await apply((edit) => edit.planBackupCopy());
    expect(isMoved(copy.plan.session.id)).toBe("old");
  });
});
