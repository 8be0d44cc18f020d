/** Removes unreadable lines from a log; all others keep their bytes. */
import type { Piece } from "../../../../model/plan.ts";
import { eachLine } from "../../../../platform/fs/lines.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";

/** What begins so may be a whole session, of which something was saved. */
const STARTS_INITIAL = /^\s*\{\s*"kind"\s*:\s*0\b/;

/** Undefined where a line that would go was more than a line. */
export async function withoutLines(
  fs: SessionFs,
  path: string,
  lines: ReadonlySet<number>,
): Promise<Piece[] | undefined> {
  const pieces: { file: string; start: number; end: number }[] = [];
  let isSafe = true;
  let isEnded = true;
  await eachLine(fs, path, ({ number, start, end, ended, bytes }) => {
    if (lines.has(number)) {
      isSafe &&= !STARTS_INITIAL.test(bytes.subarray(0, 40).toString("latin1"));
      return;
    }
    const last = pieces.at(-1);
    isEnded = ended;
    const next = end + Number(ended);
    if (last?.end === start) last.end = next;
    else pieces.push({ file: path, start, end: next });
  });
  if (!isSafe || pieces.length === 0) return undefined;
  return isEnded ? pieces : [...pieces, { text: "\n" }];
}
