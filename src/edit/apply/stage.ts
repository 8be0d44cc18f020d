/**
 * Staging folders: where a write is built, and where removed files wait until it is committed. They are on the
 * session's disk, because a rename is only atomic within one disk, and hidden from the agent.
 */
import { dirname, join } from "node:path";
import type { EditPlan } from "../../model/plan.ts";
import type { Disk } from "../../platform/disk/disk.ts";
import { isFolder, isThere, namesIn, readIfThere } from "../../platform/disk/own-files.ts";
import { isOneDisk } from "../../platform/disk/tree.ts";
import { isErrno } from "../../platform/fs/session-fs.ts";

export interface Stage {
  /** Where what a step puts in its place is built. */
  built(number: number): string;
  /** Where what a step takes away waits. */
  taken(number: number): string;
  /** Something of an agent's waits here. */
  holdsTaken(): boolean;
  /** Nothing is left of it. */
  clear(): void;
}

/** A folder on another disk than ours. */
interface Elsewhere {
  readonly path: string;
  /** The first of the folders above that had to be made for it. */
  readonly made?: string;
}

/** Recorded beside it, so that recovery after a crash finds all of it. */
interface Whereabouts {
  /** Where each step is built, when that is not our own folder. */
  readonly steps: readonly (Elsewhere | null)[];
}

const WHERE = "where.json";
const TAKEN = "old-";
export const stagingFolder = (home: string): string => join(home, "staging");

/** Of writes that are under way, or were when their process died. One look at a folder that is mostly not there. */
export function unfinished(home: string): string[] {
  try {
    return namesIn(stagingFolder(home));
  } catch (error) {
    // A folder that we cannot enter has no interrupted write of ours.
    if (!isErrno(error, "ENOTDIR", "EACCES", "EPERM")) throw error;
    return [];
  }
}

/** Makes the folder of a write; from then on every rethread that starts knows of it. */
export async function openStage(
  disk: Disk,
  home: string,
  operation: string,
  { steps, hideout }: Pick<EditPlan, "steps" | "hideout">,
): Promise<Stage> {
  const own = join(stagingFolder(home), operation);
  const where: Whereabouts = {
    steps: steps.map((step) => {
      const folder = dirname(step.path);
      if (isOneDisk(home, folder)) return null;
      const near = step.hideout ?? hideout;
      // A link may lead to a third disk, and a folder may be one by itself.
      return toElsewhere(isOneDisk(near, folder) ? near : join(folder, ".rethread"), operation);
    }),
  };
  disk.makeFolder(own, 0o700);
  disk.sync(stagingFolder(home));
  await disk.write(join(own, WHERE), textOnly(JSON.stringify(where)), { mode: 0o600, mtimeMs: 0 });
  disk.sync(own);
  for (const { path } of othersIn(where)) disk.makeFolder(path, 0o700);
  return stageAt(disk, own, where);
}

function toElsewhere(hideout: string, operation: string): Elsewhere {
  const made = firstMissing(hideout);
  return { path: join(hideout, operation), ...(made !== undefined && { made }) };
}

const othersIn = ({ steps }: Whereabouts): Elsewhere[] => [
  ...new Map(steps.flatMap((step) => (step ? [[step.path, step]] : []))).values(),
];

/** The stage of a process that died. */
export function reopenStage(disk: Disk, home: string, operation: string): Stage {
  const own = join(stagingFolder(home), operation);
  return stageAt(disk, own, readWhere(join(own, WHERE)));
}

/** Torn by the crash: then nothing was built yet either. Damaged since: then what waits elsewhere is in the backup, too. */
function readWhere(path: string): Whereabouts {
  try {
    const where = JSON.parse(readIfThere(path)?.toString("utf8") ?? "{}") as Partial<Whereabouts>;
    return Array.isArray(where.steps) ? { steps: where.steps } : { steps: [] };
  } catch (error) {
    if (!(error instanceof SyntaxError) && !isErrno(error, "EISDIR")) throw error;
    return { steps: [] };
  }
}

function stageAt(disk: Disk, own: string, where: Whereabouts): Stage {
  const placeOf = (number: number): string => where.steps[number]?.path ?? own;
  const others = othersIn(where);
  return {
    built: (number) => join(placeOf(number), `new-${number}`),
    taken: (number) => join(placeOf(number), `${TAKEN}${number}`),
    holdsTaken: () =>
      [own, ...others.map(({ path }) => path)].some(
        (place) => isFolder(place) && namesIn(place).some((name) => name.startsWith(TAKEN)),
      ),
    clear() {
      try {
        for (const other of others) clearElsewhere(disk, other);
        disk.remove(own); // last: it is what tells of the rest
      } catch (error) {
        // What was to be written is written, or is not: the next rethread that starts clears up.
        if (!(error instanceof Error && "code" in error)) throw error;
      }
    },
  };
}

function clearElsewhere(disk: Disk, { path, made }: Elsewhere): void {
  disk.remove(path);
  const hideout = dirname(path);
  disk.removeIfEmpty(hideout);
  // Above that only what was made for it, from the inside out.
  for (let at = dirname(hideout); made !== undefined && at.length >= made.length; at = dirname(at))
    disk.removeIfEmpty(at);
}

function firstMissing(path: string): string | undefined {
  let missing: string | undefined;
  for (let at = path; !isThere(at) && missing !== at; at = dirname(at)) missing = at;
  return missing;
}

async function* textOnly(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
