/**
 * Lets the disk fail while a write is under way, and looks at what is left. Before the first step takes its place, a write
 * builds one file after another, and one failure is like the next: a sample of those moments is tried, all with
 * RETHREAD_FULL=1. From the first step on, every moment is.
 */
import { dirname } from "node:path";
import { expect } from "vitest";
import type { EditCore } from "../../src/app/edit/core.ts";
import { unfinished } from "../../src/edit/apply/stage.ts";
import type { EditPlan } from "../../src/model/plan.ts";
import type { Disk } from "../../src/platform/disk/disk.ts";
import { keepFolders } from "./kept-folders.ts";
import { agentOf, type KilledHome } from "./killed-child.ts";
import { watchedDisk } from "./killing-disk.ts";

const isThorough = process.env.RETHREAD_FULL !== undefined;
const TAKES_PLACE: readonly (keyof Disk)[] = ["alias", "rename", "copyDatabase", "changeValues"];
/** One moment in so many is tried while files are built. */
const BUILDING = isThorough ? 1 : 4;

export const errno = (code: string): Error => Object.assign(new Error(`${code}: as asked, test`), { code });

export interface FailingWrite {
  readonly plan: EditPlan;
  /** The system's error, and ours that must come of it. */
  readonly fault: string;
  readonly code: string;
  /** Of the moments that are tried, one in so many is this fault's. */
  readonly share?: { readonly first: number; readonly stride: number };
  look(): unknown;
}

type Home = KilledHome & { edit(disk?: Disk): EditCore };

/** Gives back how often it failed. Afterwards nothing has been written. */
export async function failEverywhere(home: Home, write: FailingWrite): Promise<number> {
  const { plan, fault, code, look, share = { first: 0, stride: 1 } } = write;
  const kept = keepFolders([...new Set([dirname(agentOf(home).root), dirname(home.data)])]);
  const before = look();
  const start = kept.take();
  const verbs: (keyof Disk)[] = [];
  const watched = watchedDisk(({ verb }) => void verbs.push(verb));
  await home.edit(watched).apply(plan);
  kept.putBack(start);
  const firstStep = verbs.findIndex((verb) => TAKES_PLACE.includes(verb));
  const moments = [...verbs.keys()]
    // Clearing up is no part of it: a disk that lets nothing go is tried elsewhere.
    .filter((at) => verbs[at] !== "remove" && (at >= firstStep || at % BUILDING === 0))
    .filter((_, number) => number % share.stride === share.first);
  for (const at of moments) {
    const disk = watchedDisk(({ number }) => {
      if (number === at + 1) throw errno(fault);
    });
    const failure = await home
      .edit(disk)
      .apply(plan)
      .then(
        () => "nothing failed",
        (error: { code: string }) => error.code,
      );
    const moment = `at moment ${at + 1} (${verbs[at]})`;
    expect(failure, moment).toBe(code);
    expect(look(), moment).toEqual(before);
    expect(unfinished(home.data), moment).toEqual([]);
    kept.putBack(start);
  }
  kept.remove();
  return moments.length;
}
