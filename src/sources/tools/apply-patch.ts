/** Reads the patches that GPT models write, the same for every program that offers them: files, hunks, no line numbers. */
import type { FileEdit, Hunk } from "../../model/session/file-edit.ts";

const HEADER = /^\*\*\* (Add File|Update File|Delete File|Move to): (.+)$/;

interface OpenFile {
  readonly does: string;
  readonly path: string;
  to?: string;
  readonly lines: string[];
}

/** What a patch does to each of its files. */
export function parsePatch(text: string): FileEdit[] {
  const files: OpenFile[] = [];
  for (const line of text.replaceAll("\r\n", "\n").split("\n")) {
    const [, does = "", path = ""] = HEADER.exec(line) ?? [];
    const last = files.at(-1);
    if (does === "Move to") {
      if (last) last.to = path.trim();
    } else if (does !== "") files.push({ does, path: path.trim(), lines: [] });
    else if (!line.startsWith("*** ")) last?.lines.push(line);
  }
  return files.flatMap(toEdits);
}

function toEdits({ does, path, to, lines }: OpenFile): FileEdit[] {
  if (does === "Delete File") return [{ does: "delete", path }];
  if (does === "Add File") {
    const added = lines.filter((line) => line.startsWith("+")).map((line) => `${line.slice(1)}\n`);
    return [{ does: "write", path, text: added.join(""), isNew: true }];
  }
  const hunks = hunksOf(lines);
  return [
    ...(hunks.length > 0 ? [{ does: "patch" as const, path, hunks }] : []),
    ...(to === undefined ? [] : [{ does: "move" as const, path, to }]),
  ];
}

/** A line that begins with `@@` begins a hunk; what it says beside that is a line above it, which has no part in it. */
function hunksOf(lines: readonly string[]): Hunk[] {
  const hunks: string[][] = [];
  for (const line of lines) {
    if (line.startsWith("@@")) hunks.push([]);
    else {
      if (hunks.length === 0) hunks.push([]);
      hunks.at(-1)?.push(/^[ +-]/.test(line) ? line : ` ${line}`);
    }
  }
  return hunks
    .map(withoutBlankEnd)
    .filter((each) => each.length > 0)
    .map((each) => ({ lines: each }));
}

/** The line feed before the next header, or before the end of the patch, is none of its lines. */
const withoutBlankEnd = (lines: readonly string[]): readonly string[] =>
  lines.at(-1) === " " ? lines.slice(0, -1) : lines;
