/** A unified diff as the lines that the pages draw. */
import type { DiffLine } from "../../text/line-diff.ts";

const KINDS = { "+": "added", "-": "removed", " ": "same" } as const;

/** Without the names of the files, which stand above it. */
export function toDiffLines(diff: string): DiffLine[] {
  let isInHunk = false;
  return diff
    .replace(/\n$/, "")
    .split("\n")
    .flatMap((line): DiffLine[] => {
      if (line.startsWith("@@")) {
        const isFirst = !isInHunk;
        isInHunk = true;
        return isFirst ? [] : [{ kind: "gap", text: "⋯" }];
      }
      if (!isInHunk || line.startsWith("\\")) return [];
      return [{ kind: KINDS[line.charAt(0) as " "] ?? "same", text: line.slice(1) }];
    });
}
