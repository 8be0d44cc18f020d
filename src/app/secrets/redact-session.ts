/** Takes the secrets out of a session's files: what each of them would be made of, with a mark for every secret. */
import { learnFiles, textOf } from "../../hub/sync/redacted-files.ts";
import type { LeftOut, LocalFile } from "../../hub/sync/session-files.ts";
import type { Piece } from "../../model/plan.ts";
import { findMarks, type Mark } from "../../model/redact/marks.ts";
import type { OutgoingRedactor } from "../../model/redact/outgoing.ts";
import { eachLine, LONGEST_LINE } from "../../platform/fs/lines.ts";
import type { SessionFs } from "../../platform/fs/session-fs.ts";

export interface ScrubbedFile {
  /** Where it is. */
  readonly place: string;
  /** The file without secrets: all other bytes are its own. */
  readonly pieces: readonly Piece[];
  /** The marks that stand for them, each as often as it does. */
  readonly marks: readonly Mark[];
}

/** Only files with secrets in them. All are learned first: a password that the last one names may stand in the first. */
export async function scrubFiles(
  fs: SessionFs,
  found: readonly LocalFile[],
  redactor: OutgoingRedactor,
): Promise<{ readonly files: readonly ScrubbedFile[]; readonly leftOut: readonly LeftOut[] }> {
  const files: ScrubbedFile[] = [];
  const { readable, leftOut } = await learnFiles(fs, found, redactor);
  for (const file of readable) {
    const { pieces, marks, passed } =
      file.manner === "jsonl" ? await scrubLog(fs, file, redactor) : await scrubWhole(fs, file, redactor);
    if (passed > 0)
      leftOut.push({ path: file.place, why: `has ${passed} lines that are too long, or no text` });
    if (marks.length > 0) files.push({ place: file.place, pieces, marks });
  }
  return { files, leftOut };
}

interface Scrubbed extends Pick<ScrubbedFile, "pieces" | "marks"> {
  /** How many lines were not looked at. */
  readonly passed: number;
}

async function scrubWhole(fs: SessionFs, file: LocalFile, redactor: OutgoingRedactor): Promise<Scrubbed> {
  const before = textOf(await fs.read(file.place, { start: 0, end: file.size })) ?? "";
  const after = file.manner === "jsonl" ? before : redactor[file.manner](before);
  return { pieces: [{ text: after }], marks: newMarks(before, after), passed: 0 };
}

async function scrubLog(
  fs: SessionFs,
  { place, size }: LocalFile,
  redactor: OutgoingRedactor,
): Promise<Scrubbed> {
  const pieces: Piece[] = [];
  const marks: Mark[] = [];
  let [at, passed] = [0, 0];
  await eachLine(
    fs,
    place,
    ({ bytes, cut, end }) => {
      const before = bytes.toString("utf8");
      const isText = !before.includes("\ufffd") || Buffer.from(before).equals(bytes);
      if (cut > 0 || !isText) passed++;
      if (cut > 0 || !isText) return;
      const after = redactor.line(before);
      const found = newMarks(before, after);
      if (found.length === 0) return;
      for (const mark of found) marks.push(mark);
      const start = end - bytes.length;
      if (start > at) pieces.push({ file: place, start: at, end: start });
      pieces.push({ text: after });
      at = end;
    },
    { end: size, maxLine: LONGEST_LINE },
  );
  redactor.endLines();
  if (at < size) pieces.push({ file: place, start: at, end: size });
  return { pieces, marks, passed };
}

/** What was a mark before is no secret. */
export function newMarks(before: string, after: string): readonly Mark[] {
  if (before === after) return [];
  const known = new Map<string, number>();
  for (const { mark } of findMarks(before)) known.set(mark, (known.get(mark) ?? 0) + 1);
  return findMarks(after).filter(({ mark }) => {
    const left = known.get(mark) ?? 0;
    known.set(mark, left - 1);
    return left <= 0;
  });
}
