/** Files a turn changed: from the edits in its answer, and from the editing session beside it. */

import { dirname, join } from "node:path";
import type { FileEdit as RecordedEdit } from "../../../model/session/file-edit.ts";
import { isNewerThan } from "../../../model/session/newer.ts";
import type { Origin } from "../../../model/session/session.ts";
import { printed } from "../../../model/text/printed.ts";
import { MAX_LINE } from "../../../platform/fs/lines.ts";
import type { SessionFs } from "../../../platform/fs/session-fs.ts";
import { asArray, asNumber, asObject, asString, isObject, type JsonObject } from "../../log/jsonl.ts";
import type { Path } from "../format/json-outline.ts";
import { createLoad } from "../format/load.ts";
import { pathOf, toPath } from "../format/uri.ts";
import { baselinesOf, editsInOperation } from "./recorded-edits.ts";

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
  readonly byTurn: ReadonlyMap<string, readonly PlacedEdit[]>;
  /** The files as they were before the edits of a turn, by its id and their paths. */
  readonly baselines?: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** Why VS Code would not restore the state. */
  readonly fault?: string;
  /** Set where a newer version wrote it; what it tells may not be all. */
  readonly newer?: string;
}

/** The last version of editing sessions that we know. */
const KNOWN = 2;

type PlacedEdit = FileEdit & { readonly origin: Origin; readonly edits?: readonly RecordedEdit[] };

/** The editing session of a chat; most chats have none. `withEdits` gives how files were changed. */
export async function readEditingState(
  fs: SessionFs,
  path: string,
  withEdits = false,
): Promise<EditingState> {
  if (!(await fs.exists(path))) return { byTurn: new Map() };
  const place = { start: 0, end: (await fs.stat(path)).size };
  // It may hold whole files; long ones are cut, only their number of lines is of interest here.
  const { value: state, whole } = await createLoad(fs, path, MAX_LINE)({ ...place, at: [] });
  if (!whole || !isObject(state)) {
    return { byTurn: new Map(), fault: "the state of the editing session is not valid JSON" };
  }
  const { version } = state;
  const isNewer = isNewerThan(version, KNOWN);
  const lost = await missingContent(fs, join(dirname(path), "contents"), state);
  return {
    byTurn: toEditsByTurn(state, { file: path, line: 1, ...place }, withEdits),
    ...(withEdits && { baselines: baselinesOf(state) }),
    ...(isNewer && {
      newer: `editing sessions of version ${printed(version)} are newer than this rethread knows`,
    }),
    ...(lost !== undefined && { fault: `the editing session lacks the content ${lost} of a file` }),
  };
}

function toEditsByTurn(state: JsonObject, origin: Origin, withEdits: boolean): Map<string, PlacedEdit[]> {
  const byTurn = new Map<string, PlacedEdit[]>();
  const put = (
    turn: unknown,
    uri: unknown,
    counts: Omit<FileEdit, "path">,
    at: Path,
    recorded: readonly RecordedEdit[] = [],
  ): void => {
    const path = toPath(uri);
    if (path === undefined || typeof turn !== "string") return;
    const edits = byTurn.get(turn) ?? [];
    const before = edits.findIndex((edit) => edit.path === path);
    const known = edits[before];
    const all = [...(known?.edits ?? []), ...recorded];
    const more = all.length > 0 ? { edits: all } : {};
    if (!known) edits.push({ path, ...counts, origin: { ...origin, at }, ...more });
    else edits[before] = { ...add(known, counts), ...more };
    byTurn.set(turn, edits);
  };
  for (const [i, operation] of asArray(asObject(state.timeline)?.operations).entries()) {
    if (!isObject(operation)) continue;
    const uri = operation.uri ?? operation.newUri;
    const recorded = withEdits ? editsInOperation(operation) : [];
    put(operation.requestId, uri, countOperation(operation), ["timeline", "operations", i], recorded);
  }
  // Version 1 has no timeline, only the files as they are now.
  for (const [i, entry] of asArray(asObject(state.recentSnapshot)?.entries).entries()) {
    if (!isObject(entry)) continue;
    put(asObject(entry.telemetryInfo)?.requestId, entry.resource, {}, ["recentSnapshot", "entries", i]);
  }
  return byTurn;
}

/** VS Code restores nothing when a single content is gone. */
async function missingContent(fs: SessionFs, folder: string, state: JsonObject): Promise<string | undefined> {
  const needed = [
    ...asArray(state.initialFileContents).map((pair) => asArray(pair)[1]),
    ...asArray(asObject(state.recentSnapshot)?.entries).flatMap((entry) =>
      isObject(entry) ? [entry.originalHash, entry.currentHash] : [],
    ),
  ].filter((hash) => typeof hash === "string");
  if (needed.length === 0) return undefined;
  const present = (await fs.exists(folder)) ? (await fs.readdir(folder)).map((entry) => entry.name) : [];
  return needed.find((hash) => !present.includes(hash));
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
