/** The work section of a summary: files, the last result of each command, and errors with their fixes. */
import { clip } from "./summary.ts";
import type { Run, Touch, TurnFacts } from "./turn-facts.ts";

export interface Work {
  readonly done: readonly string[];
  readonly files: readonly string[];
  /** What failed, and what became of it; the latest first. */
  readonly troubles: readonly string[];
  /** What failed when it was last tried. */
  readonly failing: readonly string[];
}

interface FileWork {
  readonly did: Set<Touch["did"]>;
  changes: number;
  reads: number;
  last: number;
}

interface Trouble {
  readonly turn: number;
  readonly what: string;
  readonly error: string;
  /** What was changed until it worked. */
  readonly edited: Set<string>;
  fixedIn?: number;
}

/** What was run long ago says little about how things are. */
const MOST_RUNS = 15;

export function toWork(facts: readonly TurnFacts[]): Work {
  const files = new Map<string, FileWork>();
  const failing = new Map<string, Trouble>();
  const troubles: Trouble[] = [];
  const runs = new Map<string, string>();
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
    runs.set(key, `- \`${what}\` ${ok ? "succeeded" : "failed"}, last in turn ${turn}`);
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

  const changed = [...files]
    .filter(([, { changes }]) => changes > 0)
    .sort(([, a], [, b]) => b.changes - a.changes || b.last - a.last);
  const read = [...files]
    .filter(([, { changes, reads }]) => changes === 0 && reads > 1)
    .sort(([, a], [, b]) => b.reads - a.reads);
  const list = (head: string, did: Touch["did"]): string[] => {
    const paths = changed.flatMap(([path, each]) => (each.did.has(did) ? [path] : []));
    return paths.length === 0 ? [] : [`${head}: ${clip(paths.join(", "), 900)}`];
  };
  const refs = new Set(facts.flatMap((each) => each.refs.map(({ type, value }) => `${type} ${value}`)));
  return {
    done: [
      ...list("Files created", "create"),
      ...list("Files edited", "edit"),
      ...list("Files deleted", "delete"),
      ...(refs.size > 0 ? [`Commits, pull requests and issues: ${clip([...refs].join(", "), 400)}`] : []),
      ...(runs.size > 0
        ? ["Commands, with their last result:", ...[...runs.values()].reverse().slice(0, MOST_RUNS)]
        : []),
    ],
    files: [
      ...changed.map(([path, file]) => `- ${path}: ${tellFile(file)}`),
      ...read.slice(0, 8).map(([path, { reads }]) => `- ${path}: only read, ${reads} times`),
    ],
    troubles: troubles.map(tellTrouble).reverse(),
    failing: [...failing.values()].map(
      ({ what, error, turn }) => `- \`${what}\` failed since turn ${turn}: ${error}`,
    ),
  };
}

function tellFile({ did, changes, last }: FileWork): string {
  const what = did.has("create") ? "created" : did.has("edit") ? "changed" : "deleted";
  return `${what}${changes > 1 ? `, ${changes} changes` : ""}, last in turn ${last}`;
}

function tellTrouble({ turn, what, error, edited, fixedIn }: Trouble): string {
  const by = edited.size > 0 ? ` after changes to ${clip([...edited].join(", "), 160)}` : "";
  const end = fixedIn === undefined ? "" : ` It worked in turn ${fixedIn}${by}.`;
  return `- Turn ${turn}: \`${what}\` failed: ${error}.${end}`;
}
