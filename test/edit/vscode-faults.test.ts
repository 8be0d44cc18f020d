/** VS Code running or starting, a busy or failing disk, others who write meanwhile: nothing of theirs is ever lost. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { EditCore } from "../../src/app/edit/core.ts";
import { createWriteContext, recoverWrites } from "../../src/app/edit/recover.ts";
import { type EditPlan, sessionsOf } from "../../src/model/plan.ts";
import { toHint } from "../../src/model/remedy.ts";
import { type Disk, localDisk } from "../../src/platform/disk/disk.ts";
import { changeValues } from "../../src/platform/sqlite/key-values.ts";
import { pidLike } from "../lookalike.ts";
import { errno, failEverywhere } from "./every-fault.ts";
import { watchedDisk } from "./killing-disk.ts";
import { NOW } from "./source-homes.ts";
import {
  copiesBeside,
  createVsCodeHome,
  ELSEWHERE,
  ID,
  INDEX_KEY,
  lookAtUser,
  OTHER,
  rowsOf,
  type VsCodeHome,
} from "./vscode-home.ts";

const SECRET = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
let home: VsCodeHome;
beforeEach(() => {
  home = createVsCodeHome();
  writeFileSync(
    home.file("GitHub.copilot-chat/transcripts", `${ID}.jsonl`),
    `{"type":"session.start","data":{"text":"${SECRET}"}}\n`,
  );
});
afterEach(() => home.remove());

const codeOf = (work: Promise<unknown>): Promise<string | undefined> =>
  work.then(
    () => undefined,
    (error: { code: string }) => error.code,
  );
const database = (): string => home.file("state.vscdb");
const lock = (): string => join(home.user, "..", "code.lock");
const entries = (): Record<string, unknown> =>
  (rowsOf(database())[INDEX_KEY] as { list: { entries: Record<string, unknown> } }).list.entries;

/** As VS Code does it: the whole list anew, from what it has in memory. */
const saveList = (change: (entries: Record<string, unknown>) => void): void => {
  const next = structuredClone(entries());
  change(next);
  const text = JSON.stringify({ entries: next, version: 1 });
  changeValues(database(), "ItemTable", [], () => new Map([[INDEX_KEY, text]]));
};

const PLANS: Record<string, (edit: EditCore) => Promise<EditPlan>> = {
  clone: (edit) => edit.planClone(ID, {}),
  fork: (edit) => edit.planFork(ID, { at: 0 }),
  rewind: (edit) => edit.planRewind(ID, 0, { inPlace: true }),
  rename: (edit) => edit.planRename(ID, "Other"),
  scrub: (edit) => edit.planScrub([ID]),
  move: (edit) => edit.planMove({ session: ID, to: ELSEWHERE, text: false }),
  "move of all": (edit) => edit.planMove({ from: "/srv/shop", to: ELSEWHERE, text: false }),
  import: (edit) => edit.planImport(home.file("chatSessions", `${OTHER}.jsonl`), { to: ELSEWHERE }),
  delete: (edit) => edit.planDelete(ID),
};
const apply = async (makePlan: ((edit: EditCore) => Promise<EditPlan>) | undefined, disk?: Disk) => {
  if (!makePlan) throw new Error("no such plan");
  return home.edit(disk).apply(await makePlan(home.edit()));
};

describe.each(Object.entries(PLANS))("%s", (_, makePlan) => {
  it("comes to nothing on a failing disk, whenever it fails, and leaves no copy of the list", async () => {
    const plan = await makePlan(home.edit());
    const look = () => [lookAtUser(home.user), copiesBeside(home.user)];
    expect(copiesBeside(home.user)).toEqual([]);
    await failEverywhere(home, { plan, fault: "ENOSPC", code: "disk-full", look });
    const before = lookAtUser(home.user);
    await home.edit().apply(plan);
    await home.edit().apply(await home.edit().planUndo());
    expect(lookAtUser(home.user)).toEqual(before);
  }, 120_000);

  it("is refused while VS Code runs, and nothing is left behind", async () => {
    const before = lookAtUser(home.user);
    writeFileSync(lock(), String(pidLike("code")));
    expect(await codeOf(apply(makePlan))).toBe("vscode-running");
    writeFileSync(lock(), "999999999");
    expect(copiesBeside(home.user)).toEqual([]);
    expect(lookAtUser(home.user)).toEqual(before);
    expect(await home.edit().history()).toEqual([]);
    expect(await codeOf(apply(makePlan))).toBeUndefined();
  });

  it("keeps what others put into the list since the plan was made, and undoing it, too", async () => {
    const plan = await makePlan(home.edit());
    saveList((list) => {
      list.new = { sessionId: "new", title: "New", lastMessageDate: 1, isExternal: true };
    });
    const others = { ...entries() };
    for (const id of [ID, ...sessionsOf(plan).map((session) => session.id)]) delete others[id];
    const { operation } = await home.edit().apply(plan);
    expect(entries()).toMatchObject(others);
    saveList((list) => {
      list.newer = { ...(list.new as object), title: "Newer" };
    });
    await home.edit().apply(await home.edit().planUndo(operation));
    expect(entries()).toMatchObject({ ...others, newer: { title: "Newer" } });
    expect(Object.keys(entries()).sort()).toEqual([ID, OTHER, "copilotcli:/x", "new", "newer"].sort());
  });
});

describe("a scrub", () => {
  it("takes secrets out of the title in the list, too, and leaves states of the user's files alone", async () => {
    saveList((all) => Object.assign(all[ID] as object, { title: `With ${SECRET}` }));
    writeFileSync(home.file("chatEditingSessions", ID, "contents/0beec7b"), `${SECRET}\n`);
    const before = lookAtUser(home.user);
    const plan = await home.edit().planScrub([ID]);
    expect(plan.losses).toEqual([expect.stringContaining("copies of your own files")]);
    const { operation } = await home.edit().apply(plan);
    expect(entries()[ID]).toMatchObject({ title: expect.stringMatching(/^With \[redacted: github token/) });
    await home.edit().apply(await home.edit().planUndo(operation));
    expect(lookAtUser(home.user)).toEqual(before);
  });
});

describe("VS Code", () => {
  it("is noticed right before the first change", async () => {
    const before = lookAtUser(home.user);
    const disk = watchedDisk(({ verb }) => {
      if (verb === "copyDatabase") writeFileSync(lock(), String(pidLike("code")));
    });
    expect(await codeOf(apply(PLANS.clone, disk))).toBe("vscode-running");
    rmSync(lock());
    expect(lookAtUser(home.user)).toEqual(before);
    expect(copiesBeside(home.user)).toEqual([]);
  });

  it.each([
    ["the first process of the machine", () => pidLike("/sbin/init")],
    ["a shell", () => pidLike("bash")],
    ["rethread itself", () => process.pid],
  ])("is not taken to run because a lock names another program: %s", async (_, pid) => {
    writeFileSync(lock(), String(pid()));
    writeFileSync(home.file("vscode.lock"), JSON.stringify({ pid: pid(), willReleaseAt: 0 }));
    expect(await codeOf(apply(PLANS.rename))).toBeUndefined();
  });

  it("is noticed by its lock as code-server writes it, and by the database that it has open", async () => {
    writeFileSync(home.file("vscode.lock"), JSON.stringify({ pid: pidLike("code"), willReleaseAt: 0 }));
    expect(await codeOf(apply(PLANS.rename))).toBe("vscode-running");
    rmSync(home.file("vscode.lock"));
    if (process.platform !== "linux") return;
    const child = await hold('db.exec("SELECT * FROM ItemTable")');
    expect(await codeOf(apply(PLANS.rename))).toBe("vscode-running");
    await end(child);
    expect(await codeOf(apply(PLANS.rename))).toBeUndefined();
  });

  it("keeps a crashed write from being taken back while it runs, and nothing is lost by that", async () => {
    const before = lookAtUser(home.user);
    const isBroken = (): never => {
      throw errno("EIO");
    };
    const disk: Disk = {
      ...localDisk,
      changeValues(...args) {
        localDisk.changeValues(...args);
        writeFileSync(lock(), String(pidLike("code")));
        isBroken();
      },
    };
    expect(await codeOf(apply(PLANS.clone, disk))).toBe("write-interrupted");
    const told: string[] = [];
    const recoverNow = () =>
      recoverWrites(
        createWriteContext(home.data, () => NOW),
        home.catalog,
        (advice) => void told.push(toHint(advice)),
      );
    await recoverNow();
    expect(told[0]).toMatch(/^An interrupted write cannot be undone now: VS Code is running/);
    rmSync(lock());
    await recoverNow();
    expect(told[1]).toBe('The clone of "First" was interrupted and has been undone');
    expect(lookAtUser(home.user)).toEqual(before);
    expect(copiesBeside(home.user)).toEqual([]);
  });

  it("may have changed what was written; then that stays", async () => {
    const { operation, plan } = await apply(PLANS.rename);
    saveList((list) => Object.assign(list[ID] as object, { title: "By hand" }));
    expect(await codeOf(home.edit().planUndo(operation))).toBe("changed-since");
    expect(plan.steps.map(({ does }) => does)).toEqual(["replace", "set"]);
  });

  it("may have noted more about a clone, which can be undone all the same", async () => {
    const { plan } = await apply(PLANS.clone);
    saveList((list) => Object.assign(list[plan.session.id] as object, { stats: { fileCount: 0 } }));
    await home.edit().apply(await home.edit().planUndo());
    expect(Object.keys(entries()).sort()).toEqual([ID, OTHER, "copilotcli:/x"].sort());
  });
});

describe("a busy database", () => {
  it("is taken for a running VS Code, without waiting long, and nothing is left behind", async () => {
    const before = lookAtUser(home.user);
    const plan = await home.edit().planClone(ID, {});
    // Where nobody can be asked who has the file open, only its lock tells.
    const disk: Disk = {
      ...localDisk,
      copyDatabase() {
        throw Object.assign(new Error("database is locked"), { code: "ERR_SQLITE_ERROR", errcode: 5 });
      },
    };
    expect(await codeOf(home.edit(disk).apply(plan))).toBe("vscode-running");
    const late: Disk = { ...localDisk, changeValues: () => disk.copyDatabase("", "") };
    expect(await codeOf(home.edit(late).apply(plan))).toBe("vscode-running");
    expect(lookAtUser(home.user)).toEqual(before);
    expect(copiesBeside(home.user)).toEqual([]);
    expect(existsSync(plan.session.path)).toBe(false);
  });
});

describe("copies of the database", () => {
  it("are left beside it before every write, the newest three of them", async () => {
    for (let round = 0; round < 3; round++) {
      await home.edit().apply(await home.edit().planRename(ID, `Name ${round}`));
      await home.edit().apply(await home.edit().planUndo());
    }
    expect(copiesBeside(home.user)).toHaveLength(3);
    expect(copiesBeside(home.user)[0]).toMatch(/state\.vscdb\.rethread-20261115T120000000Z/);
  });
});

async function hold(sql: string): Promise<ChildProcess> {
  const code = `const db = new (require("node:sqlite").DatabaseSync)(process.argv[1]);
    ${sql}; console.log("held"); setTimeout(() => db.close(), 60000)`;
  const child = spawn(process.execPath, ["-e", code, database()], { stdio: ["ignore", "pipe", "inherit"] });
  if (child.stdout) await once(child.stdout, "data");
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  child.kill();
  await once(child, "exit");
}
