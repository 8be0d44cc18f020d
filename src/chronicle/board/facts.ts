/** What the sessions of a repository show, with every place that shows it. Pure. */
import { hash } from "node:crypto";
import { EVERY_BRANCH } from "../../model/board/item.ts";
import { toItemName } from "../../model/board/name.ts";
import { isAbsolutePath, wayFrom } from "../../model/values/paths.ts";
import type { BoardWork, WorkPlace } from "../../store/board-work.ts";
import { toCommand } from "./commands.ts";
import { findConventions, findDecisions, normalized } from "./statements.ts";

/** How many sessions have to show something before it is more than an accident. */
export const LEAST_SESSIONS = { commands: 2, files: 3 } as const;
/** The longest lists. */
const MOST = { commands: 12, files: 15, decisions: 12 } as const;

/** One thing to be known, with all places that show it. */
export interface Fact {
  readonly id: string;
  /** As it stands on the board. */
  readonly line: string;
  /** By what a board that says it in other words is known to say it. */
  readonly means: string;
  readonly places: readonly WorkPlace[];
}

export function conventionsIn(work: BoardWork): Fact[] {
  const found = createFacts("convention");
  for (const { text, ...place } of work.prompts())
    for (const sentence of findConventions(text)) found.add(normalized(sentence), sentence, place);
  return found.all();
}

/** Those of all checkpoints with the same title, as a session has several of one work. */
export function decisionsIn(work: BoardWork): { title: string; branch: string; facts: Fact[] }[] {
  const titled = work.checkpoints().map((each) => ({
    ...each,
    title: each.title.trim() || each.session.title,
    branch: each.branch ?? EVERY_BRANCH,
  }));
  const works = Map.groupBy(titled, ({ title, branch }) => JSON.stringify([branch, toItemName(title)]));
  return [...works.values()].flatMap((checkpoints) => {
    const found = createFacts("decision");
    for (const { title: _, text, ...place } of checkpoints)
      for (const sentence of findDecisions(text)) found.add(normalized(sentence), sentence, place);
    const facts = found.all().slice(0, MOST.decisions);
    const { title = "", branch = EVERY_BRANCH } = checkpoints[0] ?? {};
    return facts.length === 0 ? [] : [{ title, branch, facts }];
  });
}

export function commandsIn(work: BoardWork): Fact[] {
  const found = createFacts("command");
  for (const { label, ...place } of work.calls()) {
    const command = toCommand(label);
    if (command) found.add(command.head, `\`${command.text}\``, place);
  }
  return found
    .often(LEAST_SESSIONS.commands)
    .slice(0, MOST.commands)
    .map(({ key, lines, ...fact }) => {
      // Runs that all differ have only their beginning in common.
      const isOne = lines.size === 1 || [...lines.values()].some((count) => count > 1);
      const line = isOne ? fact.line : `\`${key} …\`, such as ${fact.line}`;
      return { ...fact, line, means: key };
    });
}

export function filesIn(work: BoardWork): Fact[] {
  const found = createFacts("file");
  for (const { path, workspace, ...place } of work.files()) {
    // What lies outside of the repository is no part of it.
    const name = isAbsolutePath(path) ? wayFrom(workspace ?? path, path) : path;
    if (name !== undefined && name !== "") found.add(name, `\`${name}\``, place);
  }
  return found.often(LEAST_SESSIONS.files).slice(0, MOST.files);
}

interface Facts {
  add(key: string, line: string, place: WorkPlace): void;
  /** In the order in which they were found. */
  all(): Fact[];
  /** Those that so many sessions show, the most frequent first. */
  often(least: number): CountedFact[];
}

interface Found {
  /** Each wording, and how often it was met. */
  readonly lines: Map<string, number>;
  readonly places: WorkPlace[];
}

type CountedFact = Fact & Pick<Found, "lines"> & { readonly key: string };

function createFacts(kind: string): Facts {
  const found = new Map<string, Found>();
  const toFact = ([key, { lines, places }]: readonly [string, Found]): CountedFact => {
    const line = bestLine(lines);
    return { id: hash("sha256", `${kind}:${key}`).slice(0, 12), line, means: line, places, key, lines };
  };
  const sessionsOf = ({ places }: Fact): number =>
    new Set(places.map(({ session }) => `${session.source}:${session.id}`)).size;
  return {
    add(key, line, place) {
      const known = found.get(key) ?? { lines: new Map<string, number>(), places: [] };
      found.set(key, known);
      known.lines.set(line, (known.lines.get(line) ?? 0) + 1);
      known.places.push(place);
    },
    all: () => [...found].map(toFact),
    often: (least) =>
      [...found]
        .map(toFact)
        .filter((fact) => sessionsOf(fact) >= least)
        .sort((a, b) => sessionsOf(b) - sessionsOf(a) || (a.line < b.line ? -1 : 1)),
  };
}

/** The most frequent wording; of equally frequent ones the shortest, which has the fewest details of one occasion. */
const bestLine = (lines: ReadonlyMap<string, number>): string =>
  [...lines].sort(([a, x], [b, y]) => y - x || a.length - b.length || (a < b ? -1 : 1))[0]?.[0] ?? "";
