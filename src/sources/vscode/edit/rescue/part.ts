/** Plans the repair of one chat's file. */

import { dirname, join } from "node:path";
import {
  type Basis,
  type Entry,
  type Piece,
  type Planned,
  type Step,
  sizeOfPieces,
} from "../../../../model/plan.ts";
import { toMs } from "../../../../model/values/time.ts";
import { lookThrough } from "../../../../platform/fs/fs-links.ts";
import { eachLine } from "../../../../platform/fs/lines.ts";
import { reasonOf, type SessionFs } from "../../../../platform/fs/session-fs.ts";
import { asString, type JsonObject } from "../../../log/jsonl.ts";
import type { FindCopy } from "../../../requests.ts";
import { TURNS } from "../../format/record.ts";
import { nameFrom, type SessionFile, type Store } from "../../index-db/stores.ts";
import { toText } from "../copy/form.ts";
import { inspectTurn } from "../copy/inspect.ts";
import type { EntryFacts } from "../list/list.ts";
import { fileModeIn } from "../list/neighbours.ts";
import { type FileRescue, type Found, rescueFile } from "./file.ts";
import type { StoredList } from "./index-state.ts";
import { remember, rememberEdits } from "./memory.ts";
import { repairSession } from "./state.ts";

export interface FilePart {
  readonly id: string;
  readonly path: string;
  /** Where the session is afterwards. */
  readonly sessionPath: string;
  readonly title: string | undefined;
  /** For the list, where anything was said in it. */
  readonly facts?: ChatFacts;
  readonly step?: Step;
  readonly basis: readonly Basis[];
  readonly found: readonly Found[];
  /** Nothing is left for VS Code to open. */
  readonly isGone?: boolean;
  readonly left?: string;
}

export interface RepairContext {
  readonly now: Date;
  readonly kept?: FindCopy | undefined;
  refused(path: string, reason: string): void;
}

/** Undefined when the file cannot be accessed. */
export async function repairFile(
  fs: SessionFs,
  { id, path, twin }: SessionFile,
  store: Store,
  list: StoredList,
  { refused, kept }: RepairContext,
): Promise<FilePart | undefined> {
  const entry = await lookOr(fs, path, refused);
  if (!entry) return undefined;
  const listedTitle = list.titleOf(id);
  const request = {
    id,
    path,
    folder: store.folder,
    kept,
    ...(twin && { twin }),
    ...(listedTitle && { listedTitle }),
  };
  let rescued: FileRescue;
  try {
    rescued = await rescueFile(fs, request);
  } catch (error) {
    // Whatever it is, it keeps no other chat from being repaired.
    refused(path, reasonOf(error));
    return undefined;
  }
  const state = "state" in rescued ? rescued.state : undefined;
  const facts = state && factsOf(state);
  const title = facts?.title ?? listedTitle;
  const part = { id, path, sessionPath: path, basis: [], found: [], title, ...(facts && { facts }) };
  if (rescued.outcome === "empty")
    return {
      ...part,
      ...(rescued.wasEmptied && {
        left: `${title ?? id} was emptied, and its text was not found anywhere else`,
      }),
    };
  if (rescued.outcome === "sound") return part;
  if (rescued.outcome === "newer") return { ...part, left: `${path} is newer than this rethread knows` };
  const changed = { ...part, found: rescued.found, basis: [{ entry }] };
  if (rescued.outcome === "removed")
    return {
      ...changed,
      step: { does: "remove", path },
      ...(state ? { sessionPath: twin ?? path } : { isGone: true }),
    };
  const pieces = await piecesOf(fs, path, rescued, entry.size);
  // The time of the file is when something was last said. Another one all the same: it tells the old file from the new.
  const planned = toFile(path, pieces, entry.mode, Math.floor(entry.mtimeMs) + 2);
  return { ...changed, step: { does: "replace", path, entries: [planned] } };
}

/** The file itself; the caller is told when it is not a file. */
async function lookOr(
  fs: SessionFs,
  path: string,
  refused: RepairContext["refused"],
): Promise<Extract<Entry, { kind: "file" }> | undefined> {
  try {
    const entry = await lookThrough(fs, path);
    if (entry?.kind === "file") return entry;
    refused(path, "it is not a file");
  } catch (error) {
    refused(path, reasonOf(error));
  }
  return undefined;
}

/** As many bytes of the file as can stay. */
async function piecesOf(
  fs: SessionFs,
  path: string,
  rescued: Extract<FileRescue, { outcome: "unended" | "trimmed" | "rewritten" }>,
  size: number,
): Promise<Piece[]> {
  if (rescued.outcome === "unended") return [{ file: path, start: 0, end: size }, { text: "\n" }];
  const kept = rescued.outcome === "trimmed" ? await withoutLines(fs, path, rescued.lines) : undefined;
  return kept ?? [{ text: toText(rescued.state, path.endsWith(".jsonl") ? "jsonl" : "json") }];
}

/** A chat that is listed but gone, from whatever remembers it. */
export async function makeAgain(
  fs: SessionFs,
  id: string,
  store: Store,
  list: StoredList,
  { now, kept }: RepairContext,
): Promise<FilePart | undefined> {
  const path = pathOf(store, id);
  const lost = { id, path, folder: store.folder, kept };
  const memory = (await remember(fs, lost)) ?? (await rememberEdits(fs, lost));
  if (!memory) return undefined;
  const listedTitle = list.titleOf(id);
  const { state } = repairSession({
    id,
    head: memory.head ?? {},
    turns: memory.turns,
    hasTurns: true,
    isLog: true,
    isWhole: false,
    mtimeMs: now.getTime(),
    ...(listedTitle && { listedTitle }),
  });
  const mode = await fileModeIn(fs, dirname(path));
  const planned = toFile(path, [{ text: toText(state, "jsonl") }], mode, now.getTime());
  return {
    id,
    path,
    sessionPath: path,
    title: listedTitle,
    facts: factsOf(state),
    basis: [],
    step: { does: "place", path, entries: [planned] },
    found: [{ what: `listed, but gone: restored from ${memory.from}` }],
  };
}

/** Where a chat of this store is written. */
export const pathOf = ({ sessions }: Store, id: string): string =>
  join(sessions[0] ?? "", `${nameFrom(id)}.jsonl`);

export const toFile = (path: string, pieces: Piece[], mode: number, mtimeMs: number): Planned => ({
  kind: "file",
  path,
  mode,
  mtimeMs,
  size: sizeOfPieces(pieces),
  pieces,
});

/** What the list notes of a chat; the chat itself is not held. */
export type ChatFacts = Omit<EntryFacts, "id" | "now"> & {
  /** What the list of another workspace had about it. */
  readonly listed?: JsonObject;
};

function factsOf(state: JsonObject): ChatFacts {
  const turns = state[TURNS] as JsonObject[];
  const last = inspectTurn(turns.at(-1) ?? {});
  return {
    title: asString(state.customTitle) ?? "",
    created: toMs(state.creationDate) ?? 0,
    started: last.startedAt,
    ended: last.endedAt,
    turns: turns.length,
    state: last.state,
  };
}

/** What begins so may be a whole session, of which something was saved. */
const STARTS_INITIAL = /^\s*\{\s*"kind"\s*:\s*0\b/;

/** Undefined where a line that would go was more than a line. */
export async function withoutLines(
  fs: SessionFs,
  path: string,
  lines: ReadonlySet<number>,
): Promise<Piece[] | undefined> {
  const pieces: { file: string; start: number; end: number }[] = [];
  let isSafe = true;
  let isEnded = true;
  await eachLine(fs, path, ({ number, start, end, ended, bytes }) => {
    if (lines.has(number)) {
      isSafe &&= !STARTS_INITIAL.test(bytes.subarray(0, 40).toString("latin1"));
      return;
    }
    const last = pieces.at(-1);
    isEnded = ended;
    const next = end + Number(ended);
    if (last?.end === start) last.end = next;
    else pieces.push({ file: path, start, end: next });
  });
  if (!isSafe || pieces.length === 0) return undefined;
  return isEnded ? pieces : [...pieces, { text: "\n" }];
}
