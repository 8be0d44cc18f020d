/** A disk that fails at any moment, a second writer, a session that is open or changes: nothing is ever half written. */
import { appendFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createWriteContext, recoverWrites } from "../../src/app/edit/recover.ts";
import { unfinished } from "../../src/edit/apply/stage.ts";
import type { EditPlan } from "../../src/model/plan.ts";
import { toHint } from "../../src/model/remedy.ts";
import { localDisk } from "../../src/platform/disk/disk.ts";
import { lookAt } from "../../src/platform/disk/tree.ts";
import { pidLike } from "../lookalike.ts";
import { bundleOf } from "./bundle.ts";
import { errno, type FailingWrite, failEverywhere } from "./every-fault.ts";
import { createEditHome, type EditHome, ID, lookAtAll } from "./home.ts";
import { watchedDisk } from "./killing-disk.ts";
import { recordFiles } from "./recorded-files.ts";
import { NOW } from "./source-homes.ts";

let home: EditHome;
beforeEach(() => {
  home = createEditHome();
  recordFiles(home);
});
afterEach(() => home.remove());

const rejection = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: { code: string; message: string }) => ({ code: error.code, message: error.message }),
  );
const log = (id = ID): string => join(home.copilot, "session-state", id, "events.jsonl");

const SECRET = "The key is ghp_0123456789abcdefghijABCDEFGHIJ012345\n";
/** In a file that is left alone where it has it already. */
function plantSecret(): void {
  const path = home.file("plan.md");
  if (readFileSync(path, "utf8") !== SECRET) writeFileSync(path, SECRET);
}

const PLANS: Record<string, () => Promise<EditPlan>> = {
  clone: () => home.edit().planClone(ID, {}),
  fork: () => home.edit().planFork(ID, { at: 0 }),
  rewind: () => home.edit().planRewind(ID, 0),
  compaction: () => home.edit().planCompact(ID, { keep: 1 }),
  checkpoint: () => home.edit().planCheckpoint(ID, {}),
  "rewind with files": () => home.edit().planRewind(ID, 0, { files: true }),
  move: () => home.edit().planMove({ session: ID, to: "/srv/shops", text: true }),
  rename: () => home.edit().planRename(ID, "Other"),
  rescue: () => home.edit().planRescue(ID),
  scrub: () => {
    plantSecret();
    return home.edit().planScrub([ID]);
  },
  import: async () => home.edit().planImport(await bundleOf(home), { newId: true }),
  delete: () => home.edit().planDelete(ID),
};
const FAULTS = {
  ENOSPC: "disk-full",
  EACCES: "permission-denied",
  EIO: "write-failed",
  EXDEV: "write-failed",
};

/** A full disk is tried at every moment, the others at some of them, each at its own. */
const SHARES: Readonly<Record<string, FailingWrite["share"]>> = {
  EACCES: { first: 0, stride: 3 },
  EIO: { first: 1, stride: 2 },
  EXDEV: { first: 0, stride: 2 },
};
const fail = async (plan: EditPlan, fault: string, code: string): Promise<void> => {
  const share = SHARES[fault];
  const look = () => lookAtAll(home.copilot);
  const failures = await failEverywhere(home, { plan, fault, code, look, ...(share && { share }) });
  expect(failures).toBeGreaterThan(2);
};

describe.each(Object.entries(PLANS))("%s on a failing disk", (_, makePlan) => {
  it.each(Object.entries(FAULTS))("comes to nothing with %s, whenever that happens", async (fault, code) => {
    await fail(await makePlan(), fault, code);
  });
});

describe.each(["rewind", "delete"])("undoing a %s on a failing disk", (name) => {
  it.each(Object.entries(FAULTS))("comes to nothing with %s, whenever that happens", async (fault, code) => {
    await home.edit().apply((await PLANS[name]?.()) as EditPlan);
    await fail(await home.edit().planUndo(), fault, code);
  });
});

describe("a disk that does not let a write be taken back", () => {
  it("says so, and the next command takes it back", async () => {
    const before = lookAtAll(home.copilot);
    let isBroken = false;
    const disk = {
      ...localDisk,
      rename(from: string, to: string) {
        if (isBroken) throw errno("EIO");
        localDisk.rename(from, to);
      },
      sync(folder: string) {
        if (!folder.endsWith("session-state")) return;
        isBroken = true;
        throw errno("EIO");
      },
    };
    const failure = await rejection(home.edit(disk).apply(await home.edit().planDelete(ID)));
    expect(failure?.code).toBe("write-interrupted");
    expect(lookAtAll(home.copilot)).not.toEqual(before);
    const told: string[] = [];
    await recoverWrites(
      createWriteContext(home.data, () => NOW),
      home.catalog,
      (advice) => void told.push(toHint(advice)),
    );
    expect(told).toEqual(['The delete of "Say "one"" was interrupted and has been undone']);
    expect(lookAtAll(home.copilot)).toEqual(before);
    expect(await home.edit().history()).toMatchObject([{ kind: "delete", state: "failed" }]);
  });

  it("is no failure of a write that is done; the next command clears up", async () => {
    const disk = {
      ...localDisk,
      remove() {
        throw errno("EIO");
      },
    };
    const { operation } = await home.edit(disk).apply(await home.edit().planDelete(ID));
    expect(unfinished(home.data)).toEqual([operation]);
    await recoverWrites(
      createWriteContext(home.data, () => NOW),
      home.catalog,
      () => undefined,
    );
    expect(unfinished(home.data)).toEqual([]);
    expect(await home.edit().history()).toMatchObject([{ operation, state: "done" }]);
  });
});

describe("a session that somebody else has or changes", () => {
  it("is not changed while its program has it open; a copy can be made all the same", async () => {
    writeFileSync(home.file(`inuse.${pidLike("copilot")}.lock`), `${pidLike("copilot")}\n`);
    const before = lookAtAll(home.copilot);
    for (const makePlan of [PLANS.rename, PLANS.delete])
      expect((await rejection(home.edit().apply((await makePlan?.()) as EditPlan)))?.code).toBe(
        "session-busy",
      );
    expect(lookAtAll(home.copilot)).toEqual(before);
    const { plan } = await home.edit().apply(await home.edit().planClone(ID, {}));
    expect(plan.losses).toEqual(["the task list (session.db), because the session is open"]);
  });

  it.each([
    ["the first process of the machine", () => pidLike("/sbin/init")],
    ["a shell", () => pidLike("bash")],
    ["rethread itself", () => process.pid],
  ])("is not locked by a lock that names another program: %s", async (_, pid) => {
    writeFileSync(home.file(`inuse.${pid()}.lock`), `${pid()}\n`);
    expect(await rejection(home.edit().apply(await home.edit().planRename(ID, "Other")))).toBeUndefined();
    const rescue = await home.edit().planRescue(ID);
    expect(rescue.steps).toContainEqual({ does: "remove", path: home.file(`inuse.${pid()}.lock`) });
  });

  it("is asked about once more right before the first rename", async () => {
    const before = lookAtAll(home.copilot);
    const lock = home.file(`inuse.${pidLike("copilot")}.lock`);
    const disk = watchedDisk(({ verb }) => {
      if (verb === "write") writeFileSync(lock, "");
    });
    expect((await rejection(home.edit(disk).apply(await home.edit().planRename(ID, "Other"))))?.code).toBe(
      "session-busy",
    );
    rmSync(lock);
    expect(lookAtAll(home.copilot)).toEqual(before);
  });

  it("is left alone when it changed since the plan was made; a log that only grew can be copied", async () => {
    const [rename, remove, clone] = [await PLANS.rename?.(), await PLANS.delete?.(), await PLANS.clone?.()];
    writeFileSync(home.file("workspace.yaml"), `id: ${ID}\nname: Quicker\n`);
    for (const plan of [rename, remove])
      expect((await rejection(home.edit().apply(plan as EditPlan)))?.code).toBe("session-changed");
    const whole = readFileSync(log());
    appendFileSync(log(), "{}\n");
    const { plan } = await home.edit().apply(clone as EditPlan);
    expect(readFileSync(log(plan.session.id)).length).toBe(whole.length - '"remoteSteerable":false,'.length);
  });

  it("refuses a new file in a folder that is to go", async () => {
    const plan = await home.edit().planDelete(ID);
    writeFileSync(home.file("files", "new.txt"), "precious");
    expect((await rejection(home.edit().apply(plan)))?.code).toBe("session-changed");
    expect(readFileSync(home.file("files", "new.txt"), "utf8")).toBe("precious");
  });

  it("is written by one at a time, also within one process", async () => {
    const plans = await Promise.all(["One", "Two"].map((name) => home.edit().planClone(ID, { name })));
    await Promise.all(plans.map((plan) => home.edit().apply(plan)));
    expect((await home.edit().history()).map(({ state }) => state)).toEqual(["done", "done"]);
  });
});

describe("undo", () => {
  it("brings back bytes, modes and times, and the last write first", async () => {
    plantSecret();
    const states = [lookAtAll(home.copilot)];
    for (const makePlan of Object.values(PLANS)) {
      const plan = await makePlan();
      if (plan.steps.length === 0) continue; // what was done before leaves it nothing to do
      await home.edit().apply(plan);
      states.push(lookAtAll(home.copilot));
    }
    for (const state of states.slice(0, -1).reverse()) {
      await home.edit().apply(await home.edit().planUndo());
      expect(lookAtAll(home.copilot)).toEqual(state);
    }
    expect(await rejection(home.edit().planUndo())).toMatchObject({ code: "operation-not-found" });
  });

  it("does not undo twice, nor what somebody has changed since", async () => {
    const clone = await home.edit().apply(await home.edit().planClone(ID, {}));
    appendFileSync(log(clone.plan.session.id), "{}\n");
    expect(await rejection(home.edit().planUndo(clone.operation))).toMatchObject({ code: "changed-since" });
    const rename = await home.edit().apply(await home.edit().planRename(ID, "Other"));
    await home.edit().apply(await home.edit().planUndo(rename.operation.slice(0, 5)));
    expect(await rejection(home.edit().planUndo(rename.operation))).toMatchObject({ code: "not-undoable" });
    const deleted = await home.edit().apply(await home.edit().planDelete(ID));
    const place = join(home.copilot, "session-state", ID);
    writeFileSync(place, "in the way");
    const undo = await home.edit().apply(await home.edit().planUndo(deleted.operation));
    expect(lookAt(place)?.kind).toBe("folder");
    await home.edit().apply(await home.edit().planUndo(undo.operation));
    expect(readFileSync(place, "utf8")).toBe("in the way");
  });

  it("undoes a fork although the original was forked again since, and leaves its count alone", async () => {
    const first = await home.edit().apply(await home.edit().planFork(ID, {}));
    await home.edit().apply(await home.edit().planFork(ID, {}));
    await home.edit().apply(await home.edit().planUndo(first.operation));
    expect(readFileSync(home.file("workspace.yaml"), "utf8")).toContain("fork_count: 2\n");
  });

  it("brings a session back although all else in its home is gone", async () => {
    const before = lookAtAll(home.file());
    await home.edit().apply(await home.edit().planDelete(ID));
    rmSync(home.copilot, { recursive: true });
    await home.edit().apply(await home.edit().planUndo());
    expect(lookAtAll(home.file())).toEqual(before);
  });

  it("goes by the order of the writes, whatever the clock says", async () => {
    const first = await home.edit().apply(await home.edit().planRename(ID, "First"));
    const second = await home.edit().apply(await home.edit().planRename(ID, "Second"));
    expect((await home.edit().history()).map(({ operation }) => operation)).toEqual([
      second.operation,
      first.operation,
    ]);
    expect((await home.edit().planUndo()).undoes).toBe(second.operation);
  });
});

describe("a write that fails when somebody has gone on with its result already", () => {
  it("keeps what they did, and says so", async () => {
    const disk = {
      ...localDisk,
      rename(from: string, to: string) {
        localDisk.rename(from, to);
        appendFileSync(join(to, "events.jsonl"), "{}\n");
        throw errno("EIO");
      },
    };
    const plan = await home.edit().planClone(ID, {});
    expect(await rejection(home.edit(disk).apply(plan))).toEqual({
      code: "write-failed",
      message: "The write failed (as asked), but its result was already changed by others, so it was kept",
    });
    expect(readFileSync(log(plan.session.id), "utf8").endsWith("{}\n")).toBe(true);
    expect(await home.edit().history()).toMatchObject([{ kind: "clone", state: "done" }]);
  });
});
