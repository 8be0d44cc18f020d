/** Who wrote each line of a file as it is now: a turn of a session, or else a commit. */
import { isTelling, keyOf, NOBODY, piecesOf } from "../../model/blame/lines.ts";
import { matchLines } from "../../model/blame/match-lines.ts";
import type { Commit, CommittedLine } from "../../model/blame/porcelain.ts";
import { replay } from "../../model/blame/replay.ts";
import { type AttributedEdit, type Gathered, type GatherParts, gatherEdits } from "./gather.ts";
import type { FormerName } from "./moves.ts";
import type { FilePlace } from "./same-file.ts";

export interface BlameTarget {
  readonly place: FilePlace;
  readonly text: string;
  /** The lines as they were last committed; none where there is no commit that has the file. */
  readonly committed: readonly CommittedLine[];
  /** The names that git knows. */
  readonly former: readonly FormerName[];
}

export interface BlamedLine {
  /** Counted from 1. */
  readonly line: number;
  readonly text: string;
  /** The change that last wrote it; nothing where no session did. */
  readonly written?: AttributedEdit;
  /** That last changed it; nothing for lines that are not committed. */
  readonly commit?: Commit;
}

export interface Blame extends Pick<Gathered, "unread" | "leftOut"> {
  /** Without links. */
  readonly file: string;
  readonly lines: readonly BlamedLine[];
  /** How many lines the file has; fewer may be in the answer. */
  readonly total: number;
}

export async function blameFile(parts: GatherParts, target: BlameTarget): Promise<Blame> {
  const { edits, unread, leftOut, isGuess } = await gatherEdits(parts, target.place, target.former);
  const writers = replay(
    edits.map(({ edit }) => edit),
    target.text,
  );
  if (isGuess && !isLikely(target.text, writers)) writers.fill(NOBODY);
  const texts = linesOf(target.text);
  const commits = commitsOf(texts, target.committed);
  const lines = texts.map((text, at): BlamedLine => {
    const by = writers[at] ?? NOBODY;
    const [written, commit] = [by < 0 ? undefined : edits[by], commits[at]];
    return { line: at + 1, text, ...(written && { written }), ...(commit && { commit }) };
  });
  return { file: target.place.path, lines, total: lines.length, unread, leftOut };
}

/** A file of the same name was this one if it said most of what this one says. */
function isLikely(text: string, writers: Int32Array): boolean {
  const telling = piecesOf(text).flatMap((piece, at) => (isTelling(keyOf(piece)) ? [at] : []));
  return telling.filter((at) => (writers[at] ?? NOBODY) >= 0).length * 2 > telling.length;
}

/** Without the one behind the last line feed. */
function linesOf(text: string): string[] {
  const pieces = piecesOf(text);
  if (pieces.at(-1) === "") pieces.pop();
  return pieces;
}

/** Lines that were changed since the last commit have none. */
function commitsOf(texts: readonly string[], committed: readonly CommittedLine[]): (Commit | undefined)[] {
  const matched = matchLines(
    committed.map(({ text }) => keyOf(text)),
    texts.map(keyOf),
  );
  return texts.map((_, at) => committed[matched[at] ?? -1]?.commit);
}
