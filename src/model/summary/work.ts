/** The work section of a summary: files, the last result of each command, and errors with their fixes. */
import { clip } from "./summary.ts";
import type { Touch, TurnFacts } from "./turn-facts.ts";
import { fileGist, foldWork, type Trouble } from "./work-fold.ts";

export interface Work {
  readonly done: readonly string[];
  readonly files: readonly string[];
  /** What failed, and what became of it; the latest first. */
  readonly troubles: readonly string[];
  /** What failed when it was last tried. */
  readonly failing: readonly string[];
}

/** What was run long ago says little about how things are. */
const MOST_RUNS = 15;

export function toWork(facts: readonly TurnFacts[]): Work {
  const { changed, read, runs, troubles, failing } = foldWork(facts);
  const list = (head: string, did: Touch["did"]): string[] => {
    const paths = changed.flatMap((each) => (each.did.has(did) ? [each.path] : []));
    return paths.length === 0 ? [] : [`${head}: ${clip(paths.join(", "), 900)}`];
  };
  const refs = new Set(facts.flatMap((each) => each.refs.map(({ type, value }) => `${type} ${value}`)));
  const ended = runs.map(
    ({ what, ok, turn }) => `- \`${what}\` ${ok ? "succeeded" : "failed"}, last in turn ${turn}`,
  );
  return {
    done: [
      ...list("Files created", "create"),
      ...list("Files edited", "edit"),
      ...list("Files deleted", "delete"),
      ...(refs.size > 0 ? [`Commits, pull requests and issues: ${clip([...refs].join(", "), 400)}`] : []),
      ...(ended.length > 0
        ? ["Commands, with their last result:", ...ended.reverse().slice(0, MOST_RUNS)]
        : []),
    ],
    files: [
      ...changed.map((file) => `- ${file.path}: ${fileGist(file)}, last in turn ${file.last}`),
      ...read.slice(0, 8).map(({ path, reads }) => `- ${path}: only read, ${reads} times`),
    ],
    troubles: troubles.map(tellTrouble).reverse(),
    failing: failing.map(({ what, error, turn }) => `- \`${what}\` failed since turn ${turn}: ${error}`),
  };
}

function tellTrouble({ turn, what, error, edited, fixedIn }: Trouble): string {
  const by = edited.size > 0 ? ` after changes to ${clip([...edited].join(", "), 160)}` : "";
  const end = fixedIn === undefined ? "" : ` It worked in turn ${fixedIn}${by}.`;
  return `- Turn ${turn}: \`${what}\` failed: ${error}.${end}`;
}
