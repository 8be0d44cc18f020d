/** All chats of one workspace, and its list of them: what is wrong, and the steps that put it right. */
import type { Basis, PlannedSession, Repair, Step } from "../../../model/plan.ts";
import { toKeyValueDb } from "../../../platform/key-value-db.ts";
import type { SessionFs } from "../../../platform/session-fs.ts";
import { asNumber, asString, type JsonObject } from "../../jsonl.ts";
import { SOURCE } from "../problems.ts";
import { TURNS } from "../record.ts";
import { INDEX_KEY, TABLE } from "../state-db.ts";
import { findSessionFiles, type Store } from "../stores.ts";
import { type EntryFacts, toSet } from "./list.ts";
import { lookAtTurn } from "./look.ts";
import { openList, type StoredList } from "./rescue-index.ts";
import { rescueList } from "./rescue-list.ts";
import { type FilePart, makeAgain, mendFile, pathOf, toFile } from "./rescue-part.ts";

export interface StoreRescue {
  readonly basis: readonly Basis[];
  readonly steps: readonly Step[];
  /** Those whose files or entries in the list change. */
  readonly sessions: readonly PlannedSession[];
  readonly repairs: readonly Repair[];
  /** What is wrong and stays so, in words for people. */
  readonly losses: readonly string[];
}

export interface StoreRequest {
  readonly now: Date;
  /** Only this session; the others are taken for sound. */
  readonly only?: string;
}

type Chats = Map<string, Omit<EntryFacts, "id" | "now">>;

export async function rescueStore(fs: SessionFs, store: Store, request: StoreRequest): Promise<StoreRescue> {
  const losses: string[] = [];
  const refused = (path: string, reason: string): void =>
    void losses.push(`${path} cannot be read: ${reason}`);
  const all = await findSessionFiles(fs, store, refused);
  const list = await openList(fs, store, all.length > 0);
  const files = all.filter(({ id }) => request.only === undefined || id === request.only);
  const parts: FilePart[] = [];
  const chats: Chats = new Map();
  for (const file of files) {
    const part = await mendFile(fs, file, store, list, refused);
    if (!part) continue;
    parts.push(part);
    if (part.state) chats.set(file.id, factsOf(part.state));
  }
  const present = new Set(all.map(({ id }) => id));
  for (const { id, isGone } of parts) if (isGone) present.delete(id);
  for (const ghost of list.ghosts(present)) {
    if (request.only !== undefined && ghost !== request.only) present.add(ghost);
    else {
      const part = await makeAgain(fs, ghost, store, list, request.now);
      if (!part?.state) continue;
      parts.push(part);
      present.add(ghost);
      chats.set(ghost, factsOf(part.state));
    }
  }
  const listed = mendList(list, chats, present, request);
  const repairs = parts.flatMap(({ path, found }) => found.map((each) => ({ path, ...each })));
  const steps = parts.flatMap(({ step }) => step ?? []);
  return {
    basis: parts.flatMap(({ basis }) => basis),
    // A file before it is listed, and nothing goes that is still listed.
    steps: [
      ...steps.filter(({ does }) => does !== "remove"),
      ...listed.steps,
      ...steps.filter(({ does }) => does === "remove"),
    ],
    sessions: toSessions(
      parts,
      listed.ids,
      (id) => all.find((file) => file.id === id)?.path ?? pathOf(store, id),
    ),
    repairs: [...repairs, ...listed.repairs],
    losses: [...losses, ...parts.flatMap(({ left }) => left ?? []), ...listed.losses],
  };
}

function toSessions(
  parts: readonly FilePart[],
  listed: readonly string[],
  pathOfOther: (id: string) => string,
): PlannedSession[] {
  const paths = new Map(
    parts.flatMap(({ id, step, sessionPath }) => (step ? [[id, sessionPath] as const] : [])),
  );
  for (const id of listed) if (!paths.has(id)) paths.set(id, pathOfOther(id));
  return [...paths].map(([id, path]) => ({ source: SOURCE, id, path }));
}

function mendList(
  list: StoredList,
  chats: Chats,
  present: ReadonlySet<string>,
  { now, only }: StoreRequest,
): Pick<StoreRescue, "steps" | "repairs" | "losses"> & { readonly ids: readonly string[] } {
  const nothing = (losses: readonly string[]) => ({ steps: [], repairs: [], losses, ids: [] });
  if (list.state === "out-of-reach") return nothing(list.why === undefined ? [] : [list.why]);
  if (only !== undefined && list.isInvalid)
    return nothing(["VS Code's list of chats, which is damaged: rethread rescue --vscode"]);
  const { cells, found } = rescueList({ value: list.value, chats, hasFile: (id) => present.has(id) });
  const path = list.database;
  if (cells.length === 0) return nothing(found.map(({ what }) => what));
  const repairs = found.map(({ what }) => ({ path, what }));
  const ids = found.flatMap(({ id }) => id ?? []);
  if (list.state === "there")
    return {
      steps: [toSet({ database: path, entries: new Map(), isThere: true }, cells, now)],
      repairs,
      losses: [],
      ids,
    };
  const entries = Object.fromEntries(cells.map(({ at, after }) => [at?.[1], JSON.parse(after ?? "null")]));
  const bytes = toKeyValueDb(TABLE, { [INDEX_KEY]: JSON.stringify({ version: 1, entries }) });
  const pieces = [{ base64: Buffer.from(bytes).toString("base64") }];
  return {
    steps: [{ does: "place", path, entries: [toFile(path, pieces, 0o600, now.getTime())] }],
    repairs: [
      { path, what: "VS Code's database of the workspace is gone: made anew, with its list of chats" },
    ],
    losses: [],
    ids,
  };
}

function factsOf(state: JsonObject): Omit<EntryFacts, "id" | "now"> {
  const turns = state[TURNS] as JsonObject[];
  const last = lookAtTurn(turns.at(-1) ?? {});
  return {
    title: asString(state.customTitle) ?? "",
    created: asNumber(state.creationDate) ?? 0,
    started: last.startedAt,
    ended: last.endedAt,
    turns: turns.length,
    state: last.state,
  };
}
