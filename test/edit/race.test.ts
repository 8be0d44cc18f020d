/** Somebody else writes at the same time: another rethread with a data folder of its own, or the program itself. */
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { EditCore } from "../../src/app/edit/core.ts";
import { createEditCore } from "../../src/app/edit/core.ts";
import { unfinished } from "../../src/edit/apply/stage.ts";
import type { EditPlan } from "../../src/model/plan.ts";
import type { Disk } from "../../src/platform/disk/disk.ts";
import { resolveSession } from "../../src/query/resolve.ts";
import { createEditHome, type EditHome, ID, lookAtAll } from "./home.ts";
import { watchedDisk } from "./killing-disk.ts";
import { quickDisk } from "./quick-disk.ts";
import { NOW } from "./source-homes.ts";

let home: EditHome;
let elsewhere: string;
beforeEach(() => {
  home = createEditHome();
  elsewhere = mkdtempSync(join(tmpdir(), "rethread-elsewhere-"));
});
afterEach(() => {
  home.remove();
  rmSync(elsewhere, { recursive: true, force: true });
});

const log = (): string => home.file("events.jsonl");
const outcome = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "done",
    ({ code }) => code,
  );
const openEdit = (data: string, now = NOW, disk: Disk = quickDisk): EditCore =>
  createEditCore({
    catalog: home.catalog,
    home: data,
    now: () => now,
    folder: home.copilot,
    find: (name) => resolveSession(home.catalog, name),
    refresh: async () => undefined,
    disk,
  });

describe("two rethreads with data folders of their own", () => {
  it("write one after the other, and the second finds the session changed", async () => {
    for (let round = 0; round < 10; round++) {
      const apps = [home.data, elsewhere].map((data) => openEdit(data));
      const plans = await Promise.all(
        apps.map((app, number) => app.planRename(ID, `Name ${round}.${number}`)),
      );
      const outcomes = await Promise.all(
        apps.map((app, number) => outcome(app.apply(plans[number] as EditPlan))),
      );
      expect(outcomes.sort()).toEqual(["done", "session-changed"]);
    }
  });

  it("never both, at whatever moment the second begins", async () => {
    for (let moment = 1; ; moment += 3) {
      const second = openEdit(elsewhere);
      const other = await second.planDelete(ID);
      let begun: Promise<string> | undefined;
      const disk = watchedDisk(({ number }) => {
        if (number === moment) begun = outcome(second.apply(other));
      });
      const first = await outcome(openEdit(home.data, NOW, disk).apply(await home.edit().planRewind(ID, 0)));
      expect([first, await begun].filter((each) => each === "done")).toEqual(["done"]);
      if (!begun) break;
      const winner = first === "done" ? home.edit() : second;
      await winner.apply(await winner.planUndo());
    }
  });
});

/** What the program would append, at each moment of a write. */
const LINE = '{"type":"session.info","data":{},"note":"precious"}\n';
const CHANGES: Record<string, () => Promise<EditPlan>> = {
  rewind: () => home.edit().planRewind(ID, 0),
  delete: () => home.edit().planDelete(ID),
};

describe.each(Object.entries(CHANGES))("a line that is appended during a %s", (_, makePlan) => {
  it("is never lost: nothing is written, or it stands in what was", async () => {
    for (let moment = 1; ; moment++) {
      const before = readFileSync(log());
      const plan = await makePlan();
      let isOver = true;
      const disk = watchedDisk(({ number, verb }) => {
        // Once all is certain, the session is as it was meant to be, and a line that comes then comes to that.
        if (number !== moment || verb === "remove" || verb === "removeIfEmpty") return;
        isOver = false;
        if (existsSync(log())) appendFileSync(log(), LINE);
      });
      const result = await outcome(home.edit(disk).apply(plan));
      const isThere = existsSync(log()) && readFileSync(log(), "utf8").endsWith(LINE);
      if (isOver && result === "done") break;
      if (!isOver && result !== "done" && existsSync(log()))
        expect(isThere, `moment ${moment}: ${result}`).toBe(true);
      if (result === "session-changed")
        expect(readFileSync(log()).subarray(0, before.length).equals(before), `moment ${moment}`).toBe(true);
      expect(unfinished(home.data)).toEqual([]);
      home.remove();
      home = createEditHome();
    }
  });
});

describe("a clock that jumps", () => {
  const PAST = new Date("1999-01-01T00:00:00Z");
  const FUTURE = new Date("2099-01-01T00:00:00Z");
  it.each([
    ["back", NOW, PAST],
    ["ahead", NOW, FUTURE],
    ["back from the future", FUTURE, PAST],
  ])("%s between plan, write and undo changes nothing about them", async (_, planned, applied) => {
    const before = lookAtAll(home.copilot);
    const planning = openEdit(home.data, planned);
    for (const makePlan of [() => planning.planRename(ID, "Other"), () => planning.planFork(ID, {})]) {
      const plan = await makePlan();
      const { operation } = await openEdit(home.data, applied).apply(plan);
      const history = await openEdit(home.data, planned).history();
      expect(history[0]).toMatchObject({ operation, state: "done", at: applied.toISOString() });
      await openEdit(home.data, planned).apply(await openEdit(home.data, applied).planUndo());
      expect(lookAtAll(home.copilot)).toEqual(before);
    }
  });

  it("does not hide a change whose time was put back to what it was", async () => {
    const plan = await home.edit().planRename(ID, "Other");
    const text = readFileSync(home.file("workspace.yaml"), "utf8");
    const { atimeMs, mtimeMs } = statSync(home.file("workspace.yaml"));
    writeFileSync(home.file("workspace.yaml"), `${text}future: 1\n`);
    utimesSync(home.file("workspace.yaml"), atimeMs / 1000, mtimeMs / 1000);
    expect(await outcome(home.edit().apply(plan))).toBe("session-changed");
  });
});
