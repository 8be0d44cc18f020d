/** What statistics count of one session, turn by turn, and the text that the store keeps of it. */

/** In milliseconds; as text where that is not the way we write times. */
export type Moment = number | string;

/** Stands for what belongs to no turn. */
export const NO_TURN = -1;

export interface CallCount {
  readonly turn: number;
  readonly tool: string;
  readonly calls: number;
  readonly failed: number;
}

export interface UsageCount {
  readonly turn: number;
  readonly model: string;
  /** These calls are the same in every copy of the session, and belong to the earliest that has them. */
  readonly isKeyed: boolean;
  readonly calls: number;
  readonly input: number;
  readonly output: number;
  readonly cached: number;
  readonly written: number;
}

export interface TouchedFile {
  readonly path: string;
  readonly turn: number;
  /** Created, edited or deleted; the others were only read. */
  readonly isChanged: boolean;
}

export interface Counts {
  /** Null where the log does not say when a turn began. */
  readonly turns: readonly (readonly [turn: number, at: Moment | null])[];
  readonly calls: readonly CallCount[];
  readonly usage: readonly UsageCount[];
  readonly files: readonly TouchedFile[];
}

/** Most texts are times as we write them, which take less space and are compared faster as numbers. */
export function toMoment(text: string): Moment {
  const ms = text.length === ISO_LENGTH ? Date.parse(text) : Number.NaN;
  return ms >= 0 && toText(ms) === text ? ms : text;
}
export const toText = (at: Moment): string => (typeof at === "string" ? at : new Date(at).toISOString());
const ISO_LENGTH = "2026-11-01T10:00:00.000Z".length;

/**
 * The same in long rows of values, which are short and quickly read: every question about all sessions reads all of them.
 * Names and folders are told by their place in a list.
 */
export type Tally = readonly [
  /** Turn and time, in the order of turns. */
  turns: (number | Moment | null)[],
  tools: string[],
  /** Turn, tool, calls, failed. */
  calls: number[],
  models: string[],
  /** Turn, twice the model and one if it is keyed, calls, input, output, cached, written. */
  usage: number[],
  /** Paths up to their last slash. */
  folders: string[],
  /** Folder, the rest of the path, twice the turn and one if it was changed. */
  files: (number | string)[],
];
export const [CALL_SIZE, USAGE_SIZE, FILE_SIZE] = [4, 7, 3];

/** The same text whatever order the rows came in. */
export function writeTally({ turns, calls, usage, files }: Counts): string {
  const tools = namesOf(calls.map(({ tool }) => tool));
  const models = namesOf(usage.map(({ model }) => model));
  const tally: Tally = [
    turns.toSorted(([a], [b]) => a - b).flat(),
    tools,
    calls
      .map((each) => [each.turn, tools.indexOf(each.tool), each.calls, each.failed])
      .sort(byNumbers)
      .flat(),
    models,
    usage
      .map(({ turn, model, isKeyed, ...sums }) => [
        ...[turn, 2 * models.indexOf(model) + Number(isKeyed), sums.calls],
        ...[sums.input, sums.output, sums.cached, sums.written],
      ])
      .sort(byNumbers)
      .flat(),
    ...writeFiles(files),
  ];
  return JSON.stringify(tally);
}

export const readTally = (text: string): Tally => JSON.parse(text) as Tally;

const namesOf = (names: readonly string[]): string[] => [...new Set(names)].sort();

/** By their first two, which no two have in common. */
const byNumbers = (a: readonly number[], b: readonly number[]): number =>
  (a[0] as number) - (b[0] as number) || (a[1] as number) - (b[1] as number);

function writeFiles(files: readonly TouchedFile[]): [folders: string[], files: (string | number)[]] {
  const folders = new Map<string, number>();
  const written: (string | number)[] = [];
  for (const { path, turn, isChanged } of files.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    const split = path.lastIndexOf("/") + 1;
    const folder = path.slice(0, split);
    const place = folders.get(folder) ?? folders.size;
    folders.set(folder, place);
    written.push(place, path.slice(split), 2 * turn + Number(isChanged));
  }
  return [[...folders.keys()], written];
}
