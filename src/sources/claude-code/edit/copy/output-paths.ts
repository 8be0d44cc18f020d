/** Results whose output lies in a file beside the transcript: in a copy they name the copy's own file. */
import { join } from "node:path";
import { shortenStrings } from "../../../../model/reduce/cut-text.ts";
import type { Line } from "../../../../platform/fs/lines.ts";
import { decodeLine } from "../../../log/jsonl.ts";
import type { MemberTexts } from "../../../log/pieces.ts";

export interface OutputFolders {
  /** The session's own folder, and that of the copy. */
  readonly from: string;
  readonly to: string;
  /** The names of the files that the copy has, too. */
  readonly names: ReadonlySet<string>;
}

/** Paths that lead elsewhere, as those of another home, stay as they are. `changes` is what else changes in a row. */
export function createOutputMover({
  from,
  to,
  names,
}: OutputFolders): (line: Line, changes: MemberTexts) => MemberTexts {
  const place = (folder: string, name: string): string => join(folder, "tool-results", name);
  const moves = [...names].map((name) => ({
    before: place(from, name),
    after: place(to, name),
    mark: Buffer.from(name),
  }));
  const move = (text: string): string =>
    moves.reduce((moved, { before, after }) => moved.replaceAll(before, after), text);
  return (line, changes) => {
    if (!moves.some(({ mark }) => line.bytes.includes(mark))) return {};
    const decoded = decodeLine(line, true);
    if (decoded.kind !== "record") return {};
    const moved: Record<string, string> = {};
    for (const member of ["message", "toolUseResult"] as const) {
      const changed = changes[member];
      const value: unknown = changed === undefined ? decoded.record[member] : JSON.parse(changed ?? "null");
      const after = shortenStrings(value, move);
      if (after !== value) moved[member] = JSON.stringify(after);
    }
    return moved;
  };
}
