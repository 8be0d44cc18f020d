/** Repairs the file of one session so that VS Code opens all of it. */
import { severityOf } from "../../../../model/problem.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import { asString, isObject, type JsonObject } from "../../../log/jsonl.ts";
import { findRescue, isIntact } from "../../format/fallbacks.ts";
import { rejectionsOfHead } from "../../format/load-requirements.ts";
import type { Fault } from "../../format/parsed-session.ts";
import { isNewer, type OpenSession } from "../../format/session-file.ts";
import { type Lost, readAsTheOther, remember, rememberEdits, turnsOf, whole } from "./memory.ts";
import { type Repaired, repairSession } from "./state.ts";

/** By the file that VS Code would open. */
export interface FileRequest extends Lost {
  /** The older form beside it, which that file hides. */
  readonly twin?: string;
  readonly listedTitle?: string;
}

export interface Found {
  readonly line?: number;
  readonly what: string;
  /** What stood there could not be kept. */
  readonly isLost?: boolean;
}

export type FileRescue =
  | { readonly outcome: "sound"; readonly state: JsonObject }
  /** A newer version wrote it: whatever seems wrong with it, it stays as it is. */
  | { readonly outcome: "newer" }
  /** Nothing was ever said in it, or nothing is left of what was. */
  | { readonly outcome: "empty"; readonly wasEmptied: boolean }
  | { readonly outcome: "unended"; readonly state: JsonObject; readonly found: readonly Found[] }
  /** Only these lines must go. */
  | {
      readonly outcome: "trimmed";
      readonly lines: ReadonlySet<number>;
      readonly state: JsonObject;
      readonly found: readonly Found[];
    }
  | { readonly outcome: "rewritten"; readonly state: JsonObject; readonly found: readonly Found[] }
  /** It goes: nothing can be read of it, or the older form that it hides is the better one. */
  | { readonly outcome: "removed"; readonly state?: JsonObject; readonly found: readonly Found[] };

export async function rescueFile(fs: SessionFs, request: FileRequest): Promise<FileRescue> {
  const { mtimeMs } = await fs.stat(request.path);
  return whole(fs, request.path, async (file) => {
    if (isNewer(file.parsed)) return { outcome: "newer" };
    const remains = {
      id: request.id,
      mtimeMs,
      ...(request.listedTitle && { listedTitle: request.listedTitle }),
    };
    const repair = (
      turns: readonly unknown[],
      from: OpenSession,
      head: JsonObject = from.parsed.head,
    ): Repaired =>
      repairSession({
        ...remains,
        head,
        turns,
        hasTurns: from.parsed.hasTurns,
        isLog: file.isLog,
        isWhole: isIntact(from.parsed),
      });
    const own = await turnsOf(file, file.parsed.turns);
    const found = [
      ...file.parsed.faults,
      ...own.faults,
      ...(await turnsOf(file, file.parsed.dropped ?? [])).faults,
    ]
      .filter((fault) => severityOf(fault) === "damage" && fault.code !== "record-encoding")
      .map(toFound);
    if (own.telling.length === 0) return withoutTurns(fs, request, file, { found, repair });
    const { state, faults } = repair(own.telling, file);
    const twin = found.length > 0 ? await turnsOfTwin(fs, request) : [];
    if (twin.length > own.telling.length) {
      const ids = new Set(twin.map(idOf));
      const turns = [...twin, ...own.telling.filter((turn) => !ids.has(idOf(turn)))];
      const what = `the older ${request.twin} has ${twin.length} turns, the log ${own.telling.length}: joined`;
      return { outcome: "rewritten", state: repair(turns, file).state, found: [...found, { what }] };
    }
    const lines = new Set(found.map(({ line = 0 }) => line));
    const isTrimmable =
      file.isLog && faults.length === 0 && isFine(file.parsed.head) && [...lines].every((line) => line > 1);
    if (found.length > 0 && isTrimmable) return { outcome: "trimmed", lines, state, found };
    const all = [...found, ...faults.map((what) => ({ what: `${what}: repaired` }))];
    if (all.length > 0) return { outcome: "rewritten", state, found: all };
    const isUnended = file.parsed.faults.some(({ code }) => code === "record-unended");
    if (isUnended)
      return { outcome: "unended", state, found: [{ what: "the last line had no line feed: added" }] };
    return { outcome: "sound", state };
  });
}

/** One without a title would be deleted should it ever fail to load. */
const isFine = (head: JsonObject): boolean =>
  typeof head.customTitle === "string" &&
  head.customTitle !== "" &&
  rejectionsOfHead(head, true).length === 0;

interface Means {
  readonly found: readonly Found[];
  repair(turns: readonly unknown[], from: OpenSession, head?: JsonObject): Repaired;
}

/** The file tells no turn, but something else may: the one rule for that is the reader's. */
async function withoutTurns(
  fs: SessionFs,
  request: FileRequest,
  file: OpenSession,
  { found, repair }: Means,
): Promise<FileRescue> {
  const { twin, ...lost } = request;
  const rest = await findRescue(fs, file, lost);
  const rewrite = (turns: readonly unknown[], what: string, head: JsonObject = {}): FileRescue => ({
    outcome: "rewritten",
    state: repair(turns, file, { ...head, ...file.parsed.head }).state,
    found: [...found, { what: `the conversation was removed: ${what}` }],
  });
  const past = rest?.by === "log" ? (await turnsOf(file, rest.turns)).telling : [];
  if (past.length > 0) return rewrite(past, "restored from an earlier state in the log");
  // A line feed that is missing at the end is no damage to what was never filled.
  const isBroken = found.length > 0 || !file.parsed.hasTurns || file.parsed.turns.length > 0;
  const misnamed = isBroken ? await readAsTheOther(fs, lost.path) : undefined;
  if (misnamed) {
    const { state } = repair(misnamed.turns, file, misnamed.head);
    return {
      outcome: "rewritten",
      state,
      found: [{ what: `${misnamed.from}: rewritten to match its name` }],
    };
  }
  const memory = await remember(fs, lost);
  if (memory) return rewrite(memory.turns, `restored from ${memory.from}`, memory.head);
  if (twin !== undefined && isBroken) {
    const at = { id: lost.id, path: twin, folder: lost.folder };
    const twinRescue = await rescueTwin(fs, at, found, repair);
    if (twinRescue) return twinRescue;
  }
  const edits = await rememberEdits(fs, lost);
  if (edits) return rewrite(edits.turns, `restored from ${edits.from}`);
  if (isBroken)
    return {
      outcome: "removed",
      found: [...found.filter(isLost), { what: "nothing in it can be read: removed", isLost: true }],
    };
  return { outcome: "empty", wasEmptied: typeof file.parsed.head.customTitle === "string" };
}

/** A file that is removed is not repaired. */
const isLost = (each: Found): boolean => each.isLost === true;

/** A sound one only has to be uncovered. */
async function rescueTwin(
  fs: SessionFs,
  { id, path, folder }: FileRequest,
  found: readonly Found[],
  repair: Means["repair"],
): Promise<FileRescue | undefined> {
  const twin = await rescueFile(fs, { id, path, folder });
  if (twin.outcome === "sound") {
    const what = "the log cannot be read, and hides the intact older file beside it: removed";
    return { outcome: "removed", state: twin.state, found: [...found.filter(isLost), { what }] };
  }
  if (twin.outcome !== "rewritten" && twin.outcome !== "trimmed") return undefined;
  const { requests, ...head } = twin.state;
  const { state } = await whole(fs, path, async (file) => repair(requests as unknown[], file, head));
  return {
    outcome: "rewritten",
    state,
    found: [
      ...found,
      ...twin.found,
      { what: "the log cannot be read: restored from the older file beside it" },
    ],
  };
}

async function turnsOfTwin(fs: SessionFs, { twin }: FileRequest): Promise<unknown[]> {
  if (twin === undefined) return [];
  return whole(fs, twin, async (file) =>
    isNewer(file.parsed) ? [] : (await turnsOf(file, file.parsed.turns)).telling,
  );
}

const idOf = (turn: unknown): string | undefined => (isObject(turn) ? asString(turn.requestId) : undefined);

/** Where nothing stood that could be lost. */
const NOTHING_LOST = /byte order mark|only spaces/;

function toFound({ line, message, code }: Fault): Found {
  const place = line === undefined ? {} : { line };
  if (code === "session-start-missing") return { what: `${message}: created again`, ...place };
  if (NOTHING_LOST.test(message)) return { what: `${message}: removed`, ...place };
  return { what: message, ...place, isLost: true };
}
