/** Reads the changes of one file from a session: of a long log only the turns that changed files. */
import type { Problem } from "../../model/problem.ts";
import type { Artifact } from "../../model/session/session.ts";
import type { Catalog } from "../../sources/catalog.ts";
import type { TurnOfFiles } from "../../store/file-edits.ts";
import { createProof, WORTH_ASKING } from "../turn-range.ts";
import { createEditCollector, type FoundEdits, type SessionEdit } from "./edit-collector.ts";
import { createEditList } from "./edit-list.ts";

/** What a command printed is of no interest here. */
const HOW = { edits: true, textLimit: 0 } as const;
/** Turns that are not further apart, in bytes, are read in one go. */
const NEAR = 256 << 10;

export interface EditSearch {
  readonly isWanted: (path: string) => boolean;
  /** The turns of the session since the file was first changed, where the store knows the log as it is. */
  readonly turns: readonly TurnOfFiles[] | undefined;
  /** In bytes: of shorter logs all is read (default 1 MiB). */
  readonly leastLog?: number;
}

type Sources = Pick<Catalog, "read" | "readsRanges" | "toolEdits">;

/** Nothing for a session that cannot be read. */
export async function readEdits(
  catalog: Sources,
  artifact: Artifact,
  { isWanted, turns, leastLog = WORTH_ASKING }: EditSearch,
): Promise<FoundEdits | undefined> {
  const isWorth = artifact.fingerprint.size >= leastLog && catalog.readsRanges(artifact.source);
  const some = isWorth && turns ? await readSome(catalog, artifact, isWanted, turns) : undefined;
  if (some) return some;
  const collector = createEditCollector(await catalog.toolEdits(artifact.source), isWanted);
  const reading = createReading();
  await catalog.read(artifact, { event: collector.event, problem: reading.problem }, HOW);
  return reading.isReadable() ? collector.end() : undefined;
}

/** Nothing where the whole log has to be read: the answer must be the same either way. */
async function readSome(
  catalog: Sources,
  artifact: Artifact,
  isWanted: EditSearch["isWanted"],
  turns: readonly TurnOfFiles[],
): Promise<FoundEdits | undefined> {
  const groups = nearby(turns);
  if (!groups) return undefined;
  const toolEdits = await catalog.toolEdits(artifact.source);
  const found = createEditList<SessionEdit>();
  let leftOut = 0;
  for (const { stored, start, line, end } of groups) {
    const collector = createEditCollector(toolEdits, isWanted, stored[0]?.index);
    const proof = createProof(stored, stored.length);
    const reading = createReading();
    await catalog.read(
      artifact,
      {
        event(event) {
          proof.event(event);
          collector.event(event);
        },
        problem: reading.problem,
      },
      { ...HOW, range: { start, end, line } },
    );
    // A result may have come turns later.
    if (!reading.isReadable() || !proof.isSame() || collector.isWaiting()) return undefined;
    const more = collector.end();
    for (const edit of more.edits) found.push(edit);
    leftOut += more.leftOut;
  }
  return { edits: found.items(), leftOut: leftOut + found.leftOut() };
}

interface Group {
  readonly stored: TurnOfFiles[];
  readonly start: number;
  readonly line: number;
  end: number;
}

/** Turns that changed files, with what is between two that are near each other; nothing where one cannot be read on its own. */
function nearby(turns: readonly TurnOfFiles[]): Group[] | undefined {
  const groups: Group[] = [];
  let between: TurnOfFiles[] = [];
  for (const turn of turns) {
    const { range, isChanging } = turn;
    if (!range || range.file !== undefined) return undefined;
    const last = groups.at(-1);
    if (!isChanging) between.push(turn);
    else if (last && range.start - last.end <= NEAR) {
      last.stored.push(...between, turn);
      last.end = range.end;
    } else groups.push({ stored: [turn], start: range.start, line: range.line, end: range.end });
    if (isChanging) between = [];
  }
  return groups;
}

function createReading(): { problem(problem: Problem): void; isReadable(): boolean } {
  let isReadable = true;
  return {
    problem({ code }) {
      if (code === "session-unreadable" || code === "reader-failed") isReadable = false;
    },
    isReadable: () => isReadable,
  };
}
