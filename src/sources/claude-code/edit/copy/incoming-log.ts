/** The log of a session that comes from elsewhere: what it says of where it was, and its rows with other members. */
import type { Piece } from "../../../../model/plan.ts";
import { toPatternSource } from "../../../../model/text/escape-regexp.ts";
import { eachLine, type Line } from "../../../../platform/fs/lines.ts";
import { throughPieces, withPiecedFile } from "../../../../platform/fs/pieced-file.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import { asString, decodeLine, type JsonObject } from "../../../log/jsonl.ts";
import { createPieces, type MemberTexts } from "../../../log/pieces.ts";
import type { IncomingFile } from "../../../requests.ts";

/** What changes in the rows of a log, and which of them stay behind. */
export async function changeLog(
  fs: SessionFs,
  { pieces: incoming }: IncomingFile,
  how: {
    membersOf(record: JsonObject, line: Line): MemberTexts;
    isForeign(record: JsonObject): boolean;
  },
): Promise<{ readonly pieces: readonly Piece[]; readonly dropped: number; readonly isSame: boolean }> {
  const pieces = createPieces(LOG);
  let [dropped, changed] = [0, 0];
  const visit = (line: Line): void => {
    const decoded = line.cut > 0 ? undefined : decodeLine(line, true);
    const record = decoded?.kind === "record" ? decoded.record : undefined;
    if (record && how.isForeign(record)) {
      dropped++;
      return;
    }
    const members = record ? how.membersOf(record, line) : {};
    if (Object.keys(members).length > 0) {
      changed++;
      pieces.set(line, members);
    } else pieces.keep(line.start, line.end);
    if (line.ended) pieces.keep(line.end, line.end + 1);
  };
  await eachLine(withPiecedFile(fs, LOG, incoming), LOG, visit, { maxLine: Number.POSITIVE_INFINITY });
  return { pieces: throughPieces(pieces.all(), LOG, incoming), dropped, isSame: dropped + changed === 0 };
}

/** A name for what comes, through which it is read; nothing is called so on any disk. */
const LOG = "incoming.jsonl";

export async function endsLine(
  fs: SessionFs,
  { pieces, size }: Pick<IncomingFile, "pieces" | "size">,
): Promise<boolean> {
  if (size === 0) return true;
  const last = await withPiecedFile(fs, LOG, pieces).read(LOG, { start: size - 1, end: size });
  return last[0] === 10;
}

/** The folder that the session was about, where it began. */
export async function workspaceOf(fs: SessionFs, { pieces }: IncomingFile): Promise<string | undefined> {
  let found: string | undefined;
  const visit = (line: Line): void => {
    const decoded = decodeLine(line);
    if (decoded.kind === "record") found ??= asString(decoded.record.cwd) || undefined;
  };
  const pass = (): boolean => found !== undefined;
  await eachLine(withPiecedFile(fs, LOG, pieces), LOG, visit, { pass });
  return found;
}

/** Where outputs of tools lay elsewhere, as rows name them. */
export async function outputFolder(
  fs: SessionFs,
  { pieces }: IncomingFile,
  id: string,
): Promise<string | undefined> {
  // A path is a whole string, or stands behind what the program says of it; its folders may have spaces.
  const pattern = new RegExp(`(?:"|: )(/[^"\\\\]{0,4096}?/${toPatternSource(id)})/tool-results/`);
  let found: string | undefined;
  const visit = ({ bytes }: Line): void => {
    found ??= pattern.exec(bytes.toString("utf8"))?.[1];
  };
  const mark = Buffer.from("/tool-results/");
  const pass = (bytes: Buffer, start: number, end: number): boolean =>
    found !== undefined || !bytes.subarray(start, end).includes(mark);
  await eachLine(withPiecedFile(fs, LOG, pieces), LOG, visit, { pass });
  return found;
}
