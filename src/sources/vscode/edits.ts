/** Files a turn changed: from the edits in its answer, and from the editing session beside it. */
import type { Origin } from "../../model/session.ts";
import { MAX_LINE } from "../../platform/lines.ts";
import type { SessionFs } from "../../platform/session-fs.ts";
import { asArray, asNumber, asObject, asString, isObject, type JsonObject } from "../jsonl.ts";
import { createLoad } from "./load.ts";
import { pathOf, toPath } from "./uri.ts";

export interface FileEdit {
  readonly path: string;
  readonly added?: number;
  readonly removed?: number;
}

/** The files that a part of an answer says were changed; undefined for parts that are not about edits. */
export function editsOf(part: JsonObject): FileEdit[] | undefined {
  switch (part.kind) {
    case "textEditGroup":
      return withPath(part.uri, countLines(asArray(part.edits).flat()));
    case "notebookEditGroup":
      return withPath(part.uri, {});
    case "workspaceEdit":
      return asArray(part.edits).flatMap((edit) =>
        isObject(edit) ? withPath(edit.newResource ?? edit.oldResource ?? edit.resource, {}) : [],
      );
    case "externalEdit":
      return [part.uri, ...asArray(part.uris), ...asArray(part.resources)].flatMap((uri) =>
        withPath(uri, {}),
      );
    case "multiDiffData":
      return asArray(asObject(part.multiDiffData)?.resources).flatMap((entry) =>
        isObject(entry)
          ? withPath(entry.goToFileUri ?? entry.modifiedUri ?? entry.originalUri, {
              ...(typeof entry.added === "number" && { added: entry.added }),
              ...(typeof entry.removed === "number" && { removed: entry.removed }),
            })
          : [],
      );
    default:
      return undefined;
  }
}

const withPath = (uri: unknown, counts: Omit<FileEdit, "path">): FileEdit[] => {
  const path = pathOf(uri);
  return path === undefined ? [] : [{ path, ...counts }];
};

/** Lines written and lines replaced, over single text edits. */
export function countLines(edits: readonly unknown[]): { added: number; removed: number } {
  let added = 0;
  let removed = 0;
  for (const edit of edits) {
    if (!isObject(edit)) continue;
    const text = asString(edit.text) ?? "";
    const range = asObject(edit.range) ?? {};
    const lines = (asNumber(range.endLineNumber) ?? 0) - (asNumber(range.startLineNumber) ?? 0);
    const isWithinLine = lines === 0 && range.startColumn !== range.endColumn;
    removed += lines > 0 && range.endColumn !== 1 ? lines + 1 : isWithinLine ? 1 : lines;
    added += text === "" ? 0 : text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
  }
  return { added, removed };
}

export interface EditingState {
  /** Edits by the id of their turn. */
  readonly byTurn: ReadonlyMap<string, readonly (FileEdit & { readonly origin: Origin })[]>;
  /** Why the state could not be read. */
  readonly fault?: string;
}

/** The editing session of a chat; most chats have none. */
export async function readEditingState(fs: SessionFs, path: string): Promise<EditingState> {
  const byTurn = new Map<string, (FileEdit & { origin: Origin })[]>();
  if (!(await fs.exists(path))) return { byTurn };
  const place = { start: 0, end: (await fs.stat(path)).size };
  // It may hold whole files; long ones are cut, only their number of lines is of interest here.
  const { value: state, whole } = await createLoad(fs, path, MAX_LINE)({ ...place, pick: [] });
  if (!whole || !isObject(state))
    return { byTurn, fault: "the state of the editing session is not valid JSON" };
  const origin = { file: path, line: 1, ...place };
  for (const [i, operation] of asArray(asObject(state.timeline)?.operations).entries()) {
    if (!isObject(operation)) continue;
    const path = toPath(operation.uri ?? operation.newUri);
    const turn = asString(operation.requestId);
    if (path === undefined || turn === undefined) continue;
    const counts = countOperation(operation);
    const edits = byTurn.get(turn) ?? [];
    const before = edits.findIndex((edit) => edit.path === path);
    const at = ["timeline", "operations", i];
    if (before < 0) edits.push({ path, ...counts, origin: { ...origin, at } });
    else edits[before] = add(edits[before] as FileEdit & { origin: Origin }, counts);
    byTurn.set(turn, edits);
  }
  return { byTurn };
}

function countOperation(operation: JsonObject): { added?: number; removed?: number } {
  if (operation.type === "textEdit") return countLines(asArray(operation.edits));
  if (operation.type === "create") return countLines([{ text: operation.initialContent }]);
  return {};
}

const add = <T extends FileEdit>(edit: T, more: { added?: number; removed?: number }): T => ({
  ...edit,
  ...(more.added !== undefined && { added: (edit.added ?? 0) + more.added }),
  ...(more.removed !== undefined && { removed: (edit.removed ?? 0) + more.removed }),
});
