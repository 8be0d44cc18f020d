/** What Claude Code's tools do to files: by their arguments, and by what the program keeps with the result. */
import type { FileEdit, Hunk } from "../../model/session/file-edit.ts";
import { asArray, asNumber, asObject, asString, type JsonObject } from "../log/jsonl.ts";
import { objectsIn, replaced, replacement, toolEditReader } from "../tools/edits.ts";

const KEYS = { before: "old_string", after: "new_string", all: "replace_all" };

export const toolEdits = toolEditReader({
  Write: ({ file_path, content }) =>
    typeof file_path === "string" && typeof content === "string"
      ? [{ does: "write", path: file_path, text: content }]
      : [],
  Edit: (input) => replaced(input.file_path, replacement(input, KEYS)),
  MultiEdit: (input) =>
    replaced(
      input.file_path,
      objectsIn(input.edits).flatMap((edit) => replacement(edit, KEYS)),
    ),
  NotebookEdit: ({ notebook_path, new_source }) =>
    typeof notebook_path === "string" && typeof new_source === "string"
      ? [{ does: "fragment", path: notebook_path, texts: [inNotebook(new_source)] }]
      : [],
});

/** As a notebook has it, each line a text of its own. */
const inNotebook = (source: string): string =>
  source
    .split("\n")
    .map((line, at, { length }) =>
      at < length - 1 ? `${JSON.stringify(`${line}\n`)},` : JSON.stringify(line),
    )
    .join("\n");

/**
 * What stands beside the words of a result. The patch is what really happened: the texts of the call are tidied on the
 * way (quotes, spaces at the end). The file before is left out of it where that is large.
 */
export function recordedEdits(record: JsonObject): FileEdit[] {
  const result = asObject(record.toolUseResult);
  if (!result) return [];
  const path = asString(result.filePath) ?? asString(result.notebook_path);
  if (path === undefined) return [];
  const before = asString(result.originalFile) ?? asString(result.original_file);
  const known = before === undefined ? {} : { before };
  const whole = asString(result.updated_file) ?? asString(result.content);
  if (result.type === "create" && whole !== undefined)
    return [{ does: "write", path, text: whole, isNew: true }];
  if (whole !== undefined && before !== undefined) return [{ does: "write", path, text: whole, before }];
  const hunks = objectsIn(result.structuredPatch).map(toHunk);
  return hunks.length > 0 ? [{ does: "patch", path, hunks, ...known }] : [];
}

function toHunk(hunk: JsonObject): Hunk {
  const [start, newStart] = [asNumber(hunk.oldStart), asNumber(hunk.newStart)];
  return {
    ...(start !== undefined && { start }),
    ...(newStart !== undefined && { newStart }),
    lines: asArray(hunk.lines).filter(
      (line): line is string => typeof line === "string" && !line.startsWith("\\"),
    ),
  };
}
