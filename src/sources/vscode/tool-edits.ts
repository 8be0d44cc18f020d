/** What the tools of Copilot Chat do to files, by their arguments. */
import type { FileEdit } from "../../model/session/file-edit.ts";
import { asString, type JsonObject } from "../log/jsonl.ts";
import { parsePatch } from "../tools/apply-patch.ts";
import { created, objectsIn, replaced, replacement, toolEditReader } from "../tools/edits.ts";
import { toolKeyOf } from "./tool-actions.ts";

const KEYS = { before: "oldString", after: "newString" };

/** By what both names of a tool have in common. */
export const toolEdits = toolEditReader(
  {
    createfile: ({ filePath, content }) => created(filePath, content),
    replacestringinfile: pairOf,
    multireplacestringinfile: ({ replacements }) => objectsIn(replacements).flatMap(pairOf),
    applypatch: (input) => parsePatch(asString(input.input) ?? ""),
    inserteditintofile: ({ filePath, code }) => fragments(filePath, code),
    editnotebookfile: ({ filePath, newCode }) => fragments(filePath, newCode),
  },
  toolKeyOf,
);

function pairOf(input: JsonObject): FileEdit[] {
  return replaced(input.filePath, replacement(input, KEYS));
}

/** What the model leaves out of the code that it wants inserted: `// ...existing code...`. */
const LEFT_OUT = /^.*\.{3}\s*existing code\s*\.{3}.*$/im;

function fragments(path: unknown, code: unknown): FileEdit[] {
  if (typeof path !== "string") return [];
  const texts = (asString(code) ?? "")
    .split(new RegExp(LEFT_OUT.source, "gim"))
    .map((text) => text.replace(/^\n+|\n+$/g, ""))
    .filter((text) => text !== "");
  return texts.length > 0 ? [{ does: "fragment", path, texts }] : [];
}
