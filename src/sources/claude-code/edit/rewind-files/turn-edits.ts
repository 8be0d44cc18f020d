/** What the turns that go did to files by the program's own tools, as it is kept with the results of their calls. */
import { resolve } from "node:path";
import { asObject, asString, type JsonObject } from "../../../log/jsonl.ts";
import { recordedEdits } from "../../tool-edits.ts";

export interface TurnEdit {
  readonly path: string;
  /** The whole file after it, with plain line feeds; nothing where that is not kept. */
  readonly text: string | undefined;
  readonly linesAdded: number;
  readonly linesRemoved: number;
}

/** Of the row of a result; nothing for calls that change no file in this way. */
export function editOf(record: JsonObject, workspace: string | undefined): TurnEdit | undefined {
  const [edit] = recordedEdits(record);
  if (!edit) return undefined;
  const lines = edit.does === "patch" ? edit.hunks.flatMap((hunk) => hunk.lines) : [];
  const added = edit.does === "write" && edit.isNew ? linesIn(edit.text) : 0;
  return {
    path: resolve(workspace ?? "/", edit.path),
    text: edit.does === "write" ? edit.text : textAfter(asObject(record.toolUseResult) ?? {}),
    linesAdded: added + lines.filter((line) => line.startsWith("+")).length,
    linesRemoved: lines.filter((line) => line.startsWith("-")).length,
  };
}

/** A patch spells tabs and line ends in its own way; the words of the call in the file before tell the file after. */
function textAfter(result: JsonObject): string | undefined {
  const [before, from, to] = [
    asString(result.originalFile),
    asString(result.oldString),
    asString(result.newString),
  ];
  if (before === undefined || from === undefined || to === undefined) return undefined;
  if (from === "") return before === "" ? to : undefined;
  const at = before.indexOf(from);
  if (at < 0) return undefined;
  if (result.replaceAll === true) return before.split(from).join(to);
  return before.slice(0, at) + to + before.slice(at + from.length);
}

const linesIn = (text: string): number =>
  text === "" ? 0 : text.split("\n").length - (text.endsWith("\n") ? 1 : 0);

/** Whether the result is of a call that may have changed any file, as a command of the shell may. */
export function isOpaque(record: JsonObject): boolean {
  const result = asObject(record.toolUseResult);
  return result !== undefined && result.filePath === undefined && result.file === undefined;
}
