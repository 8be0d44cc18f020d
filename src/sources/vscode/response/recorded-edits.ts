/** What the edits in an answer, and the operations of an editing session, did to files. */
import type { FileEdit, Splice } from "../../../model/session/file-edit.ts";
import { asArray, asNumber, asObject, asString, isObject, type JsonObject } from "../../log/jsonl.ts";
import { objectsIn } from "../../tools/edits.ts";
import { pathOf, toPath } from "../format/uri.ts";

/** Of a part of an answer, for one file. */
export function editsInPart(part: JsonObject, path: string): FileEdit[] {
  if (part.kind === "textEditGroup") return spliced(path, asArray(part.edits));
  if (part.kind !== "workspaceEdit") return [];
  return objectsIn(part.edits).flatMap(({ oldResource, newResource }) => moved(oldResource, newResource));
}

/** Of an operation, by its kind. */
export function editsInOperation(operation: JsonObject): FileEdit[] {
  const path = toPath(operation.uri);
  switch (operation.type) {
    case "textEdit":
      return path === undefined ? [] : spliced(path, [operation.edits]);
    case "create":
      return path === undefined
        ? []
        : [{ does: "write", path, text: asString(operation.initialContent) ?? "", isNew: true }];
    case "delete":
      return path === undefined ? [] : [{ does: "delete", path }];
    case "rename":
      return moved(operation.oldUri, operation.newUri ?? operation.uri);
    default:
      return [];
  }
}

function moved(from: unknown, to: unknown): FileEdit[] {
  const [path, target] = [pathOf(from), pathOf(to)];
  if (path === undefined) return [];
  return target === undefined ? [{ does: "delete", path }] : [{ does: "move", path, to: target }];
}

/** Groups of edits: those of one group all mean the file as the group found it. */
function spliced(path: string, groups: readonly unknown[]): FileEdit[] {
  // Very old files have the edits themselves in the list.
  const lists = groups.some(Array.isArray) ? groups.map(asArray) : [groups];
  const steps = lists.map((list) => list.flatMap(toSplice)).filter((step) => step.length > 0);
  return steps.length > 0 ? [{ does: "splice", path, steps }] : [];
}

function toSplice(edit: unknown): Splice[] {
  const range = isObject(edit) ? asObject(edit.range) : undefined;
  const text = isObject(edit) ? asString(edit.text) : undefined;
  const startLine = asNumber(range?.startLineNumber);
  if (!range || text === undefined || startLine === undefined) return [];
  return [
    {
      startLine,
      startColumn: asNumber(range.startColumn) ?? 1,
      endLine: asNumber(range.endLineNumber) ?? startLine,
      endColumn: asNumber(range.endColumn) ?? 1,
      text,
    },
  ];
}

/** The files as they were before the edits of a turn, by its id and their paths. */
export function baselinesOf(state: JsonObject): Map<string, Map<string, string>> {
  const byTurn = new Map<string, Map<string, string>>();
  for (const pair of asArray(asObject(state.timeline)?.fileBaselines)) {
    const baseline = asObject(asArray(pair)[1]);
    const [turn, path] = [asString(baseline?.requestId), toPath(baseline?.uri)];
    const content = asString(baseline?.content);
    if (turn === undefined || path === undefined || content === undefined) continue;
    const files = byTurn.get(turn) ?? new Map<string, string>();
    files.set(path, content);
    byTurn.set(turn, files);
  }
  return byTurn;
}
