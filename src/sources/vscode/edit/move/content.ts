/** Rewrites the addresses in a session file whose folder has moved; every other byte stays the same. */
import { AppError } from "../../../../model/errors.ts";
import type { Piece } from "../../../../model/plan.ts";
import type { Relocation } from "../../../../model/values/relocate.ts";
import { eachLine, type Line, LONGEST_LINE } from "../../../../platform/fs/lines.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import { toPieces } from "../../../log/moved-log.ts";
import type { Inspection } from "../copy/inspect.ts";
import { applyEdits, type Edit, findMoves, type MoveCounts } from "./text.ts";

export interface MovedContent extends MoveCounts {
  readonly pieces: readonly Piece[];
}

export async function moveContent(
  fs: SessionFs,
  path: string,
  { isLog, size }: Pick<Inspection, "isLog" | "size">,
  relocation: Relocation,
  withText: boolean,
): Promise<MovedContent> {
  const counts = noCounts();
  const edits: Edit[] = [];
  const add = (bytes: Buffer, at: number): void => {
    for (const { start, end, text } of findMoves(bytes, relocation, withText, counts))
      edits.push({ start: at + start, end: at + end, text });
  };
  if (isLog)
    await eachLine(
      fs,
      path,
      (line) => {
        if (line.cut > 0) throw tooLong(path, line);
        add(line.bytes, line.end - line.bytes.length);
      },
      { start: 0, end: size, maxLine: LONGEST_LINE },
    );
  else add(Buffer.from(await fs.read(path)), 0);
  return { pieces: toPieces(path, size, edits), ...counts };
}

const tooLong = (path: string, { number }: Line): AppError =>
  new AppError(
    "not-supported",
    `Line ${number} of ${path} is longer than ${LONGEST_LINE >> 20} MB, which is too long to search for paths`,
    { say: "Leave the chat where it is, or export it", remedy: { action: "export" } },
  );

/** The same for a text in hand. */
export function moveInText(text: string, relocation: Relocation, withText: boolean): MovedContent {
  const counts = noCounts();
  const bytes = Buffer.from(text);
  return {
    pieces: [{ text: applyEdits(bytes, findMoves(bytes, relocation, withText, counts)) }],
    ...counts,
  };
}

const noCounts = (): MoveCounts => ({ toolCalls: 0, attachments: 0, others: 0, mentions: 0 });
