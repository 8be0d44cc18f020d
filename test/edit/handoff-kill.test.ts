/** kill -9 and failing disks at every moment of a handoff: the other program has a whole session, or none. */
import { afterEach, describe, expect, it } from "vitest";
import { failEverywhere } from "./every-fault.ts";
import { killEverywhere } from "./every-moment.ts";
import { createPrograms, idIn, PROGRAMS, type Program, type Programs } from "./programs.ts";

const isThorough = process.env.RETHREAD_FULL !== undefined;
let home: Programs;
afterEach(() => home.remove());

/** From Claude Code to each other program, and to Claude Code from each. */
const DIRECTIONS = PROGRAMS.flatMap((other) =>
  other === "claude-code"
    ? []
    : ([
        ["claude-code", other],
        [other, "claude-code"],
      ] as const),
);
/** What is written depends on the target alone. */
const TRIED = DIRECTIONS.filter(([from]) => isThorough || from === "claude-code" || from === "copilot-cli");

const planIn = (from: Program, to: Program) =>
  home.edit().planHandoff(idIn(from), { to, workspace: home.workspace });

/** How many sessions each program has, and that all of them can be read. */
async function countSessions(): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const artifact of (await home.catalog.scan()).artifacts) {
    expect((await home.catalog.context(artifact)).length).toBeGreaterThan(0);
    counts[artifact.source] = (counts[artifact.source] ?? 0) + 1;
  }
  return counts;
}

describe.each(TRIED)("a handoff from %s to %s", (from, to) => {
  it("leaves a whole session or none when it is killed, and is undone to the byte", async () => {
    home = await createPrograms();
    const before = home.look();
    const look = () => home.look();
    const kills = await killEverywhere(home, { plan: await planIn(from, to), look });
    expect(kills).toBeGreaterThan(8);
    expect(await countSessions()).toMatchObject({ [from]: 1, [to]: 2 });
    await home.edit().apply(await home.edit().planUndo());
    expect(look()).toEqual(before);
    console.log(`${from} to ${to}: killed at ${kills} moments`);
  }, 900_000);

  it("is done or undone when its undo is killed", async () => {
    home = await createPrograms();
    await home.edit().apply(await planIn(from, to));
    const undo = await home.edit().planUndo();
    expect(await killEverywhere(home, { plan: undo, look: () => home.look() })).toBeGreaterThan(5);
    expect(await countSessions()).toMatchObject({ [from]: 1, [to]: 1 });
  }, 900_000);

  it("comes to nothing on a failing disk", async () => {
    home = await createPrograms();
    const plan = await planIn(from, to);
    const failures = await failEverywhere(home, {
      ...{ plan, fault: "ENOSPC", code: "disk-full", look: () => home.look() },
    });
    expect(failures).toBeGreaterThan(3);
  }, 120_000);
});
