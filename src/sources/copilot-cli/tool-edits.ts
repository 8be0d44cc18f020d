/** What Copilot CLI's tools do to files: by their arguments, and by the diff that the program keeps with the result. */
import type { FileEdit, Hunk } from "../../model/session/file-edit.ts";
import { asObject, asString, type JsonObject } from "../log/jsonl.ts";
import { parsePatch } from "../tools/apply-patch.ts";
import { created, objectsIn, replaced, replacement, toolEditReader } from "../tools/edits.ts";

export const toolEdits = toolEditReader({
  create: ({ path, file_text }) => created(path, file_text),
  edit: (input) => replaced(input.path, replacement(input, { before: "old_str", after: "new_str" })),
  apply_patch: (input) => parsePatch(asString(input.patch) ?? asString(input.input) ?? ""),
});

/** The changes of a call that edited one file, with their places; nothing where the record does not say, or not all. */
export function recordedEdits(data: JsonObject): FileEdit[] {
  const [file, ...others] = objectsIn(data.fileEdits);
  const path = asString(file?.path);
  const diff = asString(asObject(data.result)?.detailedContent);
  if (path === undefined || file?.kind !== "edit" || others.length > 0 || diff === undefined) return [];
  const hunks = parseHunks(diff);
  return hunks && hunks.length > 0 ? [{ does: "patch", path, hunks }] : [];
}

const HEADER = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** Nothing for a diff that was cut: its headers count the lines. */
function parseHunks(diff: string): Hunk[] | undefined {
  const hunks: Hunk[] = [];
  const lines = diff.split("\n");
  for (let at = 0; at < lines.length; at++) {
    const header = HEADER.exec(lines[at] ?? "");
    if (!header) continue;
    const [start, old, newStart, fresh] = header.slice(1).map((digits) => Number(digits ?? 1));
    let [goes, comes] = [old ?? 1, fresh ?? 1];
    const own: string[] = [];
    while (goes > 0 || comes > 0) {
      const line = lines[++at];
      if (line === undefined) return undefined;
      if (line.startsWith("\\")) continue;
      if (!line.startsWith("+")) goes--;
      if (!line.startsWith("-")) comes--;
      own.push(line === "" ? " " : line);
    }
    if (goes < 0 || comes < 0) return undefined;
    hunks.push({ start: start ?? 1, newStart: newStart ?? 1, lines: own });
  }
  return hunks;
}
