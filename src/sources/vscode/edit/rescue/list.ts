/** Repairs VS Code's list of sessions: every existing chat, no missing one, and no entry that VS Code would reject. */

import type { Cell } from "../../../../model/plan.ts";
import { printed } from "../../../../model/text/printed.ts";
import { memberOf, setMember } from "../../../../model/values/member.ts";
import { toMs } from "../../../../model/values/time.ts";
import { changeMemberText } from "../../../../platform/json/members.ts";
import { asObject, isObject, type JsonObject } from "../../../log/jsonl.ts";
import { salvage } from "../../format/salvage.ts";
import { faultOfEntry, INDEX_KEY, toIndex } from "../../index-db/state-db.ts";
import { EMPTY, LIMITS, toCell, toEntry } from "../list/list.ts";
import type { Found } from "./file.ts";
import type { ChatFacts } from "./part.ts";

export interface ListRequest {
  /** The list as it is stored; null where there is none. */
  readonly value: unknown;
  /** Set where it is stored as bytes instead of text. */
  readonly bytes?: Uint8Array | undefined;
  /** The chats in which something was said, by their ids. */
  readonly chats: ReadonlyMap<string, ChatFacts>;
  /** Whether there is a file of that id, with anything in it or not. */
  hasFile(id: string): boolean;
}

export interface ListRescue {
  readonly cells: readonly Cell[];
  readonly found: readonly (Found & { readonly id?: string })[];
}

export function rescueList(request: ListRequest): ListRescue {
  const { value, bytes } = request;
  const repaired = rescueText(request);
  return bytes && typeof value === "string" ? asText(value, bytes, repaired) : repaired;
}

/** The same list as text: a whole value takes the place of the bytes. */
function asText(text: string, bytes: Uint8Array, { cells, found }: ListRescue): ListRescue {
  const after = cells.reduce<string>(
    (list, { at, after: next, between }) => (at ? changeMemberText(list, at, next, between) : next) ?? list,
    text,
  );
  const before = Buffer.from(bytes).toString("base64");
  return {
    cells: [{ key: INDEX_KEY, before, after, bytes: "before" }],
    found: [{ what: "VS Code would discard its list, which is stored as bytes: stored as text" }, ...found],
  };
}

function rescueText(request: ListRequest): ListRescue {
  const { value } = request;
  if (value === null) return amendList(EMPTY, request, EMPTY);
  const index = toIndex({ value, type: typeof value === "string" ? "text" : "something else" });
  if (typeof value !== "string" || index.state === "newer") return { cells: [], found: [] };
  return index.state === "invalid" ? rebuildList(value, index.reason, request) : amendList(value, request);
}

/** Only what is wrong changes, entry by entry, so that the others stay whatever they are. */
function amendList(list: string, request: ListRequest, around?: string): ListRescue {
  const { entries } = JSON.parse(list) as { entries: JsonObject };
  const cells: Cell[] = [];
  const found: (Found & { id?: string })[] = [];
  for (const [id, entry] of Object.entries(entries)) {
    if (!isObject(entry) || entry.isExternal === true) continue;
    // VS Code does not show what it takes for empty, nor what has its place elsewhere.
    if (!request.hasFile(id) && (entry.isEmpty || entry.initialLocation !== "panel")) continue;
    if (!request.hasFile(id)) {
      cells.push(toCell(list, ["entries", id], null));
      found.push({ id, what: "listed, but nothing is left of it: removed from the list" });
    } else if (request.chats.has(id)) {
      const shown = { initialLocation: "panel", isEmpty: false };
      const wrong = Object.entries(shown).filter(
        ([field, wanted]) => (memberOf(entry, field) ?? false) !== wanted,
      );
      for (const [field, wanted] of wrong)
        cells.push(toCell(list, ["entries", id, field], JSON.stringify(wanted)));
      if (wrong.length > 0) found.push({ id, what: "hidden by the list: shown again" });
    }
  }
  const local = Object.entries(entries).filter(([id, entry]) => isLocal(entry) && request.hasFile(id));
  const { fitting, left } = newest(missing(entries, request), LIMITS.today - local.length);
  for (const [id, facts] of fitting) {
    cells.push({
      ...toCell(list, ["entries", id], JSON.stringify(entryOf(id, facts))),
      ...(around !== undefined && { around }),
    });
    found.push({ id, what: "not in the list: added" });
  }
  return { cells, found: [...found, ...left] };
}

/** Valid entries of the old list are kept; the rest comes from the files. */
function rebuildList(value: string, reason: string, request: ListRequest): ListRescue {
  const { entries: old, version: _, ...others } = asObject(salvage(Buffer.from(value))) ?? {};
  const named = Array.isArray(old)
    ? old.flatMap((entry) => (isObject(entry) ? [[printed(entry.sessionId), entry] as const] : []))
    : Object.entries(asObject(old) ?? {});
  const kept = named.filter(
    ([id, entry]) => faultOfEntry(entry) === undefined && (!isLocal(entry) || request.hasFile(id)),
  );
  const entries: JsonObject = Object.fromEntries(kept);
  const local = kept.filter(([, entry]) => isLocal(entry));
  const { fitting, left } = newest(missing(entries, request), LIMITS.today - local.length);
  for (const [id, facts] of fitting) setMember(entries, id, entryOf(id, facts));
  const lost = named
    .filter(([id]) => !Object.hasOwn(entries, id))
    .map(([id, entry]) => {
      const fault = faultOfEntry(entry);
      const why = fault === undefined ? "nothing is left of it" : `its entry ${fault}, and no file has more`;
      return { id, what: `listed, but ${why}: removed from the list` };
    });
  const what = `VS Code would discard its list (${reason}): written again, with ${kept.length} of its entries and ${fitting.length} from the files`;
  return {
    cells: [{ key: INDEX_KEY, before: value, after: JSON.stringify({ ...others, version: 1, entries }) }],
    found: [{ what }, ...fitting.map(([id]) => ({ id, what: "not in the list: added" })), ...lost, ...left],
  };
}

const isLocal = (entry: unknown): boolean => isObject(entry) && entry.isExternal !== true;

type Chat = readonly [id: string, facts: ChatFacts];

const missing = (entries: JsonObject, { chats }: ListRequest): Chat[] =>
  [...chats].filter(([id]) => !Object.hasOwn(entries, id));

/** VS Code drops what is oldest beyond its limit, and those files are no orphans but the rule. */
function newest(chats: readonly Chat[], room: number): { fitting: Chat[]; left: Found[] } {
  const sorted = chats.toSorted(([, a], [, b]) => lastOf(b) - lastOf(a));
  const fitting = sorted.slice(0, Math.max(0, room));
  const rest = sorted.length - fitting.length;
  const what = `${rest} older ${rest === 1 ? "chat is" : "chats are"} not listed: VS Code lists at most ${LIMITS.today}`;
  return { fitting, left: rest > 0 ? [{ what }] : [] };
}

const lastOf = ({ ended, started, created }: Chat[1]): number => ended ?? started ?? created;

/** At its own place among the others. */
export function entryOf(id: string, { listed, ...facts }: Chat[1]): ReturnType<typeof toEntry> {
  const at = toMs(listed?.lastMessageDate) ?? lastOf(facts);
  const entry = toEntry({ ...facts, id, now: new Date(at) }, listed);
  return { ...entry, ...(listed?.timing !== undefined && { timing: listed.timing }) };
}
