/** What was done over many turns: files, the last result of each command, and errors with what became of them. */
import type { Run, Touch, TurnFacts } from "./turn-facts.ts";

export interface FileWork {
  readonly path: string;
  readonly did: ReadonlySet<Touch["did"]>;
  readonly changes: number;
  readonly reads: number;
  /** The turn of the last change; of a file that was only read, the first turn. */
  readonly last: number;
}

export interface Trouble {
  readonly turn: number;
  readonly what: string;
  readonly error: string;
  /** What was changed until it worked. */
  readonly edited: ReadonlySet<string>;
  readonly fixedIn?: number;
}

export interface LastRun {
  readonly what: string;
  readonly ok: boolean;
  readonly turn: number;
}

export interface WorkFold {
  /** Most changed first. */
  readonly changed: readonly FileWork[];
  /** Read more than once and never changed, most read first. */
  readonly read: readonly FileWork[];
  /** Every command once, as it last ended; in the order of these runs. */
  readonly runs: readonly LastRun[];
  /** In the order in which they came up. */
  readonly troubles: readonly Trouble[];
  /** Those that failed when last tried. */
  readonly failing: readonly Trouble[];
}

export function foldWork(facts: readonly TurnFacts[]): WorkFold {
  const files = new Map<string, { did: Set<Touch["did"]>; changes: number; reads: number; last: number }>();
  const failing = new Map<string, Trouble & { edited: Set<string>; fixedIn?: number }>();
  const troubles: Trouble[] = [];
  const runs = new Map<string, LastRun>();
  const touch = ({ path, did }: Touch, turn: number): void => {
    const file = files.get(path) ?? { did: new Set(), changes: 0, reads: 0, last: turn };
    files.set(path, file);
    file.did.add(did);
    if (did === "read") file.reads++;
    else {
      file.changes++;
      file.last = turn;
      for (const trouble of failing.values()) trouble.edited.add(path);
    }
  };
  const run = ({ key, what, ok, error = "interrupted" }: Run, turn: number): void => {
    const before = failing.get(key);
    runs.delete(key); // the latest stands last
    runs.set(key, { what, ok, turn });
    if (ok && before) before.fixedIn = turn;
    if (ok) failing.delete(key);
    else if (!before) {
      const trouble = { turn, what, error, edited: new Set<string>() };
      failing.set(key, trouble);
      troubles.push(trouble);
    }
  };
  for (const { index, deeds } of facts)
    for (const deed of deeds) deed.kind === "touch" ? touch(deed, index) : run(deed, index);

  const all = [...files].map(([path, file]): FileWork => ({ path, ...file }));
  return {
    changed: all
      .filter(({ changes }) => changes > 0)
      .sort((a, b) => b.changes - a.changes || b.last - a.last),
    read: all.filter(({ changes, reads }) => changes === 0 && reads > 1).sort((a, b) => b.reads - a.reads),
    runs: [...runs.values()],
    troubles,
    failing: [...failing.values()],
  };
}

/** "created, 3 changes" */
export function fileGist({ did, changes }: FileWork): string {
  const what = did.has("create") ? "created" : did.has("edit") ? "changed" : "deleted";
  return `${what}${changes > 1 ? `, ${changes} changes` : ""}`;
}
