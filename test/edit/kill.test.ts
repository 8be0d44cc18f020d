/** kill -9 at every moment of every operation: afterwards each session is the old one or the new one, to the byte. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { EditApp } from "../../src/app/edit-app.ts";
import { recover } from "../../src/edit/recover.ts";
import { unfinished } from "../../src/edit/stage.ts";
import type { EditPlan } from "../../src/model/plan.ts";
import { localDisk } from "../../src/platform/disk.ts";
import { localFs } from "../../src/platform/local-fs.ts";
import { bundleOf } from "./bundle.ts";
import { createEditHome, type EditHome, expectAfter, ID, lookAtAll } from "./home.ts";
import { compileChild, type KilledChild } from "./killed-child.ts";
import { recordFiles } from "./recorded-files.ts";
import { NOW } from "./source-homes.ts";

let child: KilledChild;
let home: EditHome;
beforeAll(async () => {
  child = await compileChild();
  home = createEditHome();
  isKilled("recover", 0);
  home.remove();
});
afterEach(() => home.remove());
afterAll(() => child.remove());

const isKilled = (planFile: string, killAt: number): boolean => child.isKilled(home, planFile, killAt);

const writePlan = (plan: EditPlan): string => {
  const path = join(home.data, "..", "plan.json");
  writeFileSync(path, JSON.stringify(plan));
  return path;
};

const recoverNow = () =>
  recover({ home: home.data, now: () => NOW, fs: localFs, disk: localDisk }, home.catalog);

interface Victim {
  plan(edit: EditApp): Promise<EditPlan>;
  /** Back to where it began, once it is done. */
  reset(edit: EditApp): Promise<unknown>;
}

const OPERATIONS: Record<string, (edit: EditApp) => Promise<EditPlan>> = {
  clone: (edit) => edit.planClone(ID, { name: "Copy" }),
  "smaller clone": (edit) => edit.planClone(ID, { dropOldest: "1", dropTools: true }),
  fork: (edit) => edit.planFork(ID, { at: "1" }),
  rewind: (edit) => edit.planRewind(ID, 0),
  compaction: (edit) => edit.planCompact(ID, { keep: 1 }),
  "compaction at the end": (edit) => edit.planCompact(ID, { append: true }),
  checkpoint: (edit) => edit.planCheckpoint(ID, {}),
  "clone with a summary": (edit) => edit.planClone(ID, { dropOldest: "2", summarize: true }),
  "rewind with files": (edit) => edit.planRewind(ID, 0, { files: true }),
  // As long as the old path, so that no size tells the new log from the old one.
  move: (edit) => edit.planMove({ session: ID, to: "/srv/shops", text: true }),
  rename: (edit) => edit.planRename(ID, "Another: name"),
  delete: (edit) => edit.planDelete(ID),
  rescue: (edit) => edit.planRescue(ID),
  import: async (edit) => edit.planImport(await bundleOf(home), { newId: true }),
};
/** What must be there first. */
const prepare = (name: string): void => {
  if (name === "rewind with files") recordFiles(home);
};
const perform = async (edit: EditApp, plan: EditPlan) => edit.apply(plan);

/** Gives back how often it was killed. */
async function killEverywhere({ plan: makePlan, reset }: Victim): Promise<number> {
  const edit = home.edit();
  const outcomes = new Set<string>();
  for (let killAt = 1; ; killAt++) {
    const before = lookAtAll(home.copilot);
    const plan = await makePlan(edit);
    const after = await expectAfter(before, plan, home);
    const wasKilled = isKilled(writePlan(plan), killAt);
    // Whatever is half done, the program sees sessions and nothing else.
    const names = readdirSync(join(home.copilot, "session-state"));
    expect(names.filter((name) => !/^([0-9a-f-]{36}|\.session-operation-locks)$/.test(name))).toEqual([]);
    expect(readdirSync(home.copilot)).toEqual(["session-state"]);
    // A second crash, while the first is being mended.
    if (killAt % 3 === 0) isKilled("recover", 1 + (killAt % 7));
    await recoverNow();
    const isDone = (await edit.history()).some(
      ({ operation, state }) => operation === `0p${killAt}` && state === "done",
    );
    expect(lookAtAll(home.copilot), `killed at moment ${killAt}`).toEqual(isDone ? after : before);
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
const PLACES = { "one disk": tmpdir(), ...(isOtherDisk && { "two disks": OTHER_DISK }) };

describe.each(Object.entries(PLACES))("kill -9 at every moment, with %s", (_, place) => {
  it.each(Object.entries(OPERATIONS))(
    "leaves the old or the new state of a %s",
    async (name, plan) => {
      home = createEditHome(place);
      prepare(name);
      const reset = async (edit: EditApp) => perform(edit, await edit.planUndo());
      const kills = await killEverywhere({ plan, reset });
      console.log(`${name}: ${kills} kills survived`);
      expect(kills).toBeGreaterThan(10);
    },
    600_000,
  );

  it.each(Object.entries(OPERATIONS))(
    "leaves a %s done or undone",
    async (name, operation) => {
      home = createEditHome(place);
      prepare(name);
      const reset = async (edit: EditApp) => perform(edit, await operation(edit));
      await reset(home.edit());
      const kills = await killEverywhere({ plan: (edit) => edit.planUndo(), reset });
      console.log(`undo of ${name}: ${kills} kills survived`);
      expect(kills).toBeGreaterThan(10);
    },
    600_000,
  );
});

describe("two writers at once", () => {
  it("one is first; the other finds the session changed and leaves it alone", async () => {
    home = createEditHome();
    const edit = home.edit();
    const plans = await Promise.all(["First", "Second", "Third"].map((name) => edit.planRename(ID, name)));
    const outcomes = await Promise.all(
      plans.map(async (plan, number) => {
        const path = join(home.data, "..", `plan-${number}.json`);
        writeFileSync(path, JSON.stringify(plan));
        // Killed at no moment; the number only tells their operations apart.
        const words = [child.path, home.copilot, home.data, path, String(10_000 + number)];
        const writer = spawn(process.execPath, words, { stdio: ["ignore", "ignore", "pipe"] });
        let told = "";
        writer.stderr.on("data", (text) => {
          told += text;
        });
        const [code] = await once(writer, "close");
        return { code, isChanged: told.includes("session-changed") };
      }),
    );
    expect(outcomes.filter(({ code }) => code === 0)).toHaveLength(1);
    expect(outcomes.filter(({ isChanged }) => isChanged)).toHaveLength(2);
    const winner = plans[outcomes.findIndex(({ code }) => code === 0)];
    expect(readFileSync(home.file("workspace.yaml"), "utf8")).toContain(`name: ${winner?.name}\n`);
    expect(await edit.history()).toMatchObject([{ state: "done" }]);
    expect(unfinished(home.data)).toEqual([]);
  });
});

describe("the first command after a crash", () => {
  const rethread = (...words: string[]) =>
    spawnSync(process.execPath, [join(import.meta.dirname, "../../src/cli/main.ts"), ...words], {
      encoding: "utf8",
      env: {
        PATH: process.env.PATH,
        HOME: home.copilot,
        COPILOT_HOME: home.copilot,
        RETHREAD_HOME: home.data,
      },
    });
  const crashWhileDeleting = async (): Promise<void> => {
    for (let killAt = 1; existsSync(home.file()); killAt++) {
      await recoverNow();
      isKilled(writePlan(await home.edit().planDelete(ID)), killAt);
    }
  };

  it("takes back what was interrupted before it answers, and says so", async () => {
    home = createEditHome();
    const before = lookAtAll(home.copilot);
    await crashWhileDeleting();
    const { stdout, stderr } = rethread("list", "--json");
    expect(JSON.parse(stdout).sessions).toMatchObject([{ id: ID, vanishedAt: null }]);
    expect(stderr).toBe('The delete of "Say "one"" was interrupted, and has been taken back\n');
    expect(lookAtAll(home.copilot)).toEqual(before);
    expect(rethread("list").stderr).toBe("");
  });

  it("touches nothing that was taken away when the journal that knew of it is gone", async () => {
    home = createEditHome();
    await crashWhileDeleting();
    for (const name of ["state.db", "state.db-wal", "state.db-shm"])
      rmSync(join(home.data, name), { force: true });
    const [operation = ""] = unfinished(home.data);
    const taken = join(home.data, "staging", operation, "old-0", "events.jsonl");
    expect(rethread("list").stderr).toContain("holds what an interrupted write took away");
    expect(existsSync(taken)).toBe(true);
    expect(rethread("history").status).toBe(0);
  });
});
