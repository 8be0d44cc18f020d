/**
 * Kills a write at every moment, and looks at what the next rethread makes of it. What kill -9 leaves is what is on the disk
 * at that moment, so one run is enough to learn it for all of them: each state is kept as the write passes it, put back
 * later, and recovered from. A sample of the moments is also killed for real and must leave the same; RETHREAD_FULL=1
 * kills at all of them.
 */
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { apply } from "../../src/edit/apply/apply.ts";
import { unfinished } from "../../src/edit/apply/stage.ts";
import { recover } from "../../src/edit/undo/recover.ts";
import type { EditPlan } from "../../src/model/plan.ts";
import { type Disk, localDisk } from "../../src/platform/disk/disk.ts";
import { localFs } from "../../src/platform/fs/local.ts";
import type { Catalog } from "../../src/sources/catalog.ts";
import {
  isSameSnapshot,
  type KeptFolders,
  keepFolders,
  type Snapshot,
  toComparable,
} from "./kept-folders.ts";
import { agentOf, isKilled, type KilledHome, OPERATION, wasDone } from "./killed-child.ts";
import { watchedDisk } from "./killing-disk.ts";
import { NOW } from "./source-homes.ts";

const isThorough = process.env.RETHREAD_FULL !== undefined;
/** One moment in so many is killed for real; which of them is the first differs from write to write. */
const KILLED = isThorough ? 1 : 15;
let writes = 0;

type Home = KilledHome & { readonly catalog: Catalog };

export interface Victim {
  readonly plan: EditPlan;
  /** What must be old or new. */
  look(): unknown;
  /** What it must be when all is done; without it, what the write leaves when nothing kills it. */
  readonly after?: unknown;
  /** What must hold at every moment, before and after the recovery. */
  check?(): void;
  /** Whether the write was done, for a write that the journal says nothing about. */
  isDone?(): boolean;
}

export const recoverNow = ({ data, catalog }: Pick<Home, "data" | "catalog">, disk: Disk = localDisk) =>
  recover({ home: data, now: () => NOW, fs: localFs, disk }, catalog);

export const writePlan = ({ data }: KilledHome, plan: EditPlan): string => {
  const path = join(data, "..", "plan.json");
  writeFileSync(path, JSON.stringify(plan));
  return path;
};

/** Gives back at how many moments it was killed. Afterwards the write is done. */
export async function killEverywhere(home: Home, victim: Victim): Promise<number> {
  const { plan, look, check = () => undefined } = victim;
  const kept = keepFolders([...new Set([dirname(agentOf(home).root), dirname(home.data)])]);
  const planFile = writePlan(home, plan);
  const before = look();
  const start = kept.take();
  const moments: Snapshot[] = [];
  const disk = watchedDisk(() => void moments.push(kept.take()));
  await apply({ home: home.data, now: () => NOW, fs: localFs, disk }, home.catalog, OPERATION, plan);
  const end = kept.take();
  const after = victim.after ?? look();
  expect(look()).toEqual(after);

  const outcomes = new Set<string>();
  /** What the next rethread makes of the state that is there. */
  const settle = async (name: string): Promise<void> => {
    await recoverNow(home);
    check();
    const isDone = victim.isDone?.() ?? wasDone(home.data);
    expect(look(), name).toEqual(isDone ? after : before);
    expect(unfinished(home.data), name).toEqual([]);
    outcomes.add(isDone ? "new" : "old");
  };
  const first = writes++ % Math.min(KILLED, moments.length);
  let last: Snapshot | undefined;
  let states = 0;
  for (const [index, moment] of moments.entries()) {
    const number = index + 1;
    const again = 1 + (number % 7);
    // Between two calls nothing may have happened; the same state needs no second look.
    if (!last || !isSameSnapshot(last, moment)) {
      kept.putBack(moment);
      check();
      if (++states % 3 === 0) await interruptRecovery(home, kept, again);
      await settle(`stopped at moment ${number}`);
    }
    last = moment;
    if (index % KILLED !== first) continue;
    kept.putBack(start);
    expect(isKilled(home, planFile, number), `killed at moment ${number}`).toBe(true);
    expect(toComparable(kept.take()), `killed at moment ${number}`).toEqual(toComparable(moment));
    if (number % 2 === 0) isKilled(home, "recover", again);
    await settle(`killed at moment ${number}`);
  }
  expect(outcomes).toEqual(new Set(["old", "new"]));
  kept.putBack(end);
  await settle("done");
  kept.remove();
  return moments.length;
}

/** A second crash, while the first is being repaired. */
async function interruptRecovery(home: Home, kept: KeptFolders, at: number): Promise<void> {
  let state: Snapshot | undefined;
  const disk = watchedDisk(({ number }) => {
    if (number === at) state = kept.take();
  });
  await recoverNow(home, disk);
  if (state) kept.putBack(state);
}
