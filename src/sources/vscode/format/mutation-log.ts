/**
 * Replays a mutation log. VS Code rejects the whole session for one bad line; here the line becomes a fault and the
 * replay continues.
 */
import { inBrief } from "../../../model/values/json.ts";
import { setMember } from "../../../model/values/member.ts";
import type { SessionFs } from "../../../platform/fs/session-fs.ts";
import { isObject, type JsonObject } from "../../log/jsonl.ts";
import { createChangeTable, type TurnSlot } from "./change-table.ts";
import type { Path } from "./json-outline.ts";
import { eachRecord, type LogOptions } from "./log-record.ts";
import { apply, type Fault, type ParsedSession } from "./parsed-session.ts";
import { isNewerKind, KIND, type LogRecord, originIn, TURNS } from "./record.ts";

export async function replayLog(fs: SessionFs, path: string, options: LogOptions): Promise<ParsedSession> {
  const replay = createReplay();
  await eachRecord(fs, path, options, (record, fault) => {
    if (fault) replay.fault(fault);
    if (record) replay.take(record);
  });
  return replay.end();
}

export function createReplay() {
  const head: JsonObject = {};
  const changes = createChangeTable();
  let turns: TurnSlot[] = [];
  let hasTurns = false;
  let removed: TurnSlot[] | undefined;
  const dropped = new Set<TurnSlot>();
  let begun = false;
  let last: LogRecord["line"] | undefined;
  const faults: Fault[] = [];
  const toSlots = ({ elements }: LogRecord): TurnSlot[] =>
    (elements ?? []).map((brought) => changes.add({ effect: "set", path: [], ...brought }));
  const drop = (slots: readonly TurnSlot[]): void => {
    // A turn that was only ever set has nothing in it that could be wrong.
    for (const slot of slots) if (changes.isChanged(slot)) dropped.add(slot);
  };
  const setTurns = (next: TurnSlot[] | undefined): void => {
    // Only ever cut behind some turn, or replaced altogether: what is kept is a beginning.
    const kept = turns.findIndex((slot, i) => slot !== next?.[i]);
    if (kept >= 0) drop(turns.slice(kept));
    if (turns.length > 0) removed = next?.length ? undefined : turns;
    turns = next ?? [];
    hasTurns = next !== undefined;
  };

  const begin = (record: LogRecord): string | undefined => {
    begun = true;
    for (const key of Object.keys(head)) delete head[key];
    if (!isObject(record.value)) return "the first record has no session";
    for (const [key, value] of Object.entries(record.value)) setMember(head, key, value);
    delete head[TURNS];
    setTurns(record.elements && toSlots(record));
    return undefined;
  };

  /** Says why not when the record cannot be applied. */
  const change = (record: LogRecord): string | undefined => {
    const { path, kind, value, keep } = record;
    if (!isPath(path)) return "the record has no path";
    const [first, index, ...rest] = path;
    const effect = kind === KIND.set ? "set" : kind === KIND.push ? "push" : "delete";
    const how = { effect, keep: (keep ?? undefined) as number | undefined } as const;
    if (first === undefined) return undefined; // VS Code ignores these
    if (first !== TURNS) {
      const outcome = apply(head, path, how, effect === "delete" ? undefined : value);
      return typeof outcome === "string" ? outcome : undefined;
    }
    if (index === undefined) {
      if (effect === "set" && !record.elements) return "the list of turns is replaced by something else";
      if (effect === "push" && hasTurns && record.elements && (keep ?? turns.length) === turns.length) {
        // The usual record, more turns behind those that are there: in place, as a long log holds thousands.
        if (turns.length > 0) removed = undefined;
        for (const slot of toSlots(record)) turns.push(slot);
        return undefined;
      }
      const list: JsonObject = hasTurns ? { [TURNS]: turns } : {};
      const outcome = apply(list, path, how, record.elements ? toSlots(record) : value);
      if (typeof outcome === "string") return outcome;
      setTurns(Array.isArray(list[TURNS]) ? (list[TURNS] as TurnSlot[]) : undefined);
      return undefined;
    }
    const slot = Object.hasOwn(turns, index) && index !== "length" ? turns[index as number] : undefined;
    const isNew = rest.length === 0 && index === turns.length;
    if (!hasTurns || (slot === undefined && !isNew))
      return `the path ${path.join(".")} leads through something missing`;
    const { held, origin } = (effect === "delete" ? undefined : record.brings) ?? {
      held: NOTHING,
      origin: originIn(record.line, []),
    };
    const replaces = rest.length === 0 && effect !== "push";
    if (replaces && slot !== undefined) drop([slot]);
    const next = { ...how, path: rest, held, origin };
    turns[index as number] = changes.add(next, replaces ? undefined : slot);
    return undefined;
  };

  return {
    fault: (fault: Fault): void => void faults.push(fault),
    take(record: LogRecord): void {
      const { kind, line } = record;
      last = line;
      let why: string | undefined;
      if (kind === KIND.initial) why = begin(record);
      else if (kind === KIND.set || kind === KIND.push || kind === KIND.delete) {
        if (!begun) {
          begun = true;
          hasTurns = true;
          const message = "the log has lost its first record";
          faults.push({ code: "session-start-missing", line: line.number, message });
        }
        why = change(record);
      } else if (isNewerKind(kind)) {
        const message = `records of kind ${inBrief(kind)} are newer than this rethread knows`;
        faults.push({ code: "format-newer", line: line.number, message });
      } else why = `VS Code does not know records of kind ${inBrief(kind)}`;
      if (why !== undefined) faults.push({ code: "record-invalid", line: line.number, message: why });
    },
    end(): ParsedSession {
      if (!last) {
        const message = "the log has no records";
        if (faults.length === 0) faults.push({ code: "session-start-missing", message });
      } else if (!last.ended && faults.every((fault) => fault.line !== last?.number)) {
        const message = "the last line has no line feed; VS Code's next save would be joined to it";
        faults.push({ code: "record-unended", line: last.number, message });
      }
      for (const slot of removed ?? []) dropped.delete(slot);
      return {
        head,
        turns,
        changes,
        hasTurns,
        faults,
        ...(removed && { removed }),
        ...(dropped.size > 0 && { dropped: [...dropped] }),
      };
    },
  };
}

const NOTHING = { value: undefined };

const isPath = (value: unknown): value is Path =>
  Array.isArray(value) && value.every((step) => typeof step === "string" || typeof step === "number");
