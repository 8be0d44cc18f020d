/** Repairs all chats of one workspace and its list of chats. */

import { dirname } from "node:path";
import type { Basis, Cell, Piece, PlannedSession, Step } from "../../../../model/plan.ts";
import type { Repair } from "../../../../model/plan-facts.ts";
import type { Advice } from "../../../../model/remedy.ts";
import { lookThrough } from "../../../../platform/fs/fs-links.ts";
import { reasonOf, type SessionFs } from "../../../../platform/fs/session-fs.ts";
import { toKeyValueDb } from "../../../../platform/sqlite/key-value-db.ts";
import type { FindCopy } from "../../../requests.ts";
import { SOURCE } from "../../format/problems.ts";
import { INDEX_KEY, TABLE } from "../../index-db/state-db.ts";
import { findSessionFiles, type Store } from "../../index-db/stores.ts";
import { readWorkspace } from "../../index-db/workspace.ts";
import { place } from "../list/insert-session.ts";
import { joinSteps } from "../list/join-steps.ts";
import { toSet } from "../list/list.ts";
import { storeModes } from "../list/neighbours.ts";
import type { Follow } from "./adoption.ts";
import { type Arrival, type Departure, depart } from "./follow.ts";
import { openList, type StoredList } from "./index-state.ts";
import { rescueList } from "./list.ts";
import { type ChatFacts, type FilePart, makeAgain, pathOf, repairFile, toFile } from "./part.ts";

export interface StoreRescue {
  readonly basis: readonly Basis[];
  readonly steps: readonly Step[];
  /** Those whose files or entries in the list change. */
  readonly sessions: readonly PlannedSession[];
  readonly repairs: readonly Repair[];
  /** What is wrong and stays so, in words for people. */
  readonly losses: readonly Advice[];
  /** What leaves for another workspace, or why it does not. */
  readonly departure?: Departure;
}

export interface StoreRequest {
  readonly now: Date;
  /** Only this session; the others are taken for sound. */
  readonly only?: string;
  readonly kept?: FindCopy | undefined;
  /** Its chats go to another workspace: afterwards this one is as if it had never had them. */
  readonly leaving?: { readonly follow: Follow; readonly taken: Set<string> } | undefined;
  /** Chats of another workspace that come here. */
  readonly arriving?: readonly Arrival[] | undefined;
}

type Chats = Map<string, ChatFacts>;

/** Chats that leave are repaired first; chats that arrive are sound. */
export async function rescueStore(fs: SessionFs, store: Store, request: StoreRequest): Promise<StoreRescue> {
  const losses: string[] = [];
  const refused = (path: string, reason: string): void =>
    void losses.push(`${path} cannot be read: ${reason}`);
  const around = { now: request.now, kept: request.kept, refused };
  const all = await findSessionFiles(fs, store, refused);
  const list = await openList(fs, store, all.length > 0);
  if (list.newer !== undefined)
    return { basis: [], steps: [], sessions: [], repairs: [], losses: [...losses, list.newer] };
  const files = all.filter(({ id }) => request.only === undefined || id === request.only);
  const parts: FilePart[] = [];
  const chats: Chats = new Map();
  for (const file of files) {
    const part = await repairFile(fs, file, store, list, around);
    if (!part) continue;
    parts.push(part);
    if (part.facts) chats.set(file.id, part.facts);
  }
  const present = new Set(all.map(({ id }) => id));
  for (const { id, isGone } of parts) if (isGone) present.delete(id);
  for (const ghost of list.ghosts(present)) {
    if (request.only !== undefined && ghost !== request.only) present.add(ghost);
    else {
      const part = await makeAgain(fs, ghost, store, list, around).catch((error) =>
        refused(`what is left of ${ghost}`, reasonOf(error)),
      );
      if (!part?.facts) continue;
      parts.push(part);
      present.add(ghost);
      chats.set(ghost, part.facts);
    }
  }
  const departure =
    request.leaving && (await depart(fs, request.leaving.follow, parts, list, request.leaving.taken));
  const gone = new Set(departure?.arrivals.map(({ id }) => id));
  for (const id of gone) {
    present.delete(id);
    chats.delete(id);
  }
  const { arriving = [] } = request;
  for (const { id, facts } of arriving) {
    present.add(id);
    chats.set(id, { ...facts, ...chats.get(id) });
  }
  const moved = new Set([...gone, ...arriving.map(({ id }) => id)]);
  const listed = await repairList(fs, list, chats, present, request, moved);
  const repairs = [
    ...parts.flatMap(({ path, title, found }) =>
      found.map((each) => ({ path, ...(title !== undefined && { title }), ...each })),
    ),
    ...listed.repairs,
  ];
  const placed: Step[] = [];
  for (const { file, beside } of arriving)
    for (const entries of [...(file ? [[file]] : []), ...beside])
      placed.push(await place(fs, entries, store.folder ?? "", request.now));
  const staying = parts.filter(({ id }) => !gone.has(id));
  const workspace =
    store.folder === undefined ? undefined : await readWorkspace(fs, store.folder, () => undefined);
  const steps = staying.flatMap(({ step }) => step ?? []);
  return {
    basis: [...staying.flatMap(({ basis }) => basis), ...listed.basis, ...(departure?.basis ?? [])],
    // A file before it is listed, and nothing goes that is still listed.
    steps: [
      ...steps.filter(({ does }) => does !== "remove"),
      ...joinSteps(placed),
      ...listed.steps,
      ...steps.filter(({ does }) => does === "remove"),
      ...(departure?.removals ?? []),
    ],
    sessions: toSessions(
      staying,
      arriving,
      listed.ids.filter((id) => !gone.has(id)),
      (id) => all.find((file) => file.id === id)?.path ?? pathOf(store, id),
    ),
    repairs: [
      ...(workspace ? repairs.map((each) => ({ ...each, workspace: workspace.name })) : repairs),
      ...arriving.map(({ repair }) => repair),
    ],
    losses: [
      ...losses,
      ...parts.flatMap(({ left }) => left ?? []),
      ...listed.losses,
      ...(departure?.losses ?? []),
    ],
    ...(departure && { departure }),
  };
}

function toSessions(
  parts: readonly FilePart[],
  arriving: readonly Arrival[],
  listed: readonly string[],
  pathOfOther: (id: string) => string,
): PlannedSession[] {
  const paths = new Map(
    parts.flatMap(({ id, step, sessionPath }) => (step ? [[id, sessionPath] as const] : [])),
  );
  for (const { id, path } of arriving) paths.set(id, path);
  for (const id of listed) if (!paths.has(id)) paths.set(id, pathOfOther(id));
  return [...paths].map(([id, path]) => ({ source: SOURCE, id, path }));
}

async function repairList(
  fs: SessionFs,
  list: StoredList,
  chats: Chats,
  present: ReadonlySet<string>,
  { now, only }: StoreRequest,
  /** What becomes of these is said where they arrive. */
  moved: ReadonlySet<string>,
): Promise<Omit<StoreRescue, "sessions" | "departure"> & { readonly ids: readonly string[] }> {
  const nothing = (losses: readonly Advice[]) => ({ steps: [], repairs: [], losses, ids: [], basis: [] });
  if (list.state === "out-of-reach") return nothing(list.why === undefined ? [] : [list.why]);
  if (only !== undefined && list.isInvalid)
    return nothing([
      {
        say: "VS Code's list of chats, which is damaged",
        remedy: { action: "rescue", args: { vscode: true } },
      },
    ]);
  const { cells, found } = rescueList({
    value: list.value,
    bytes: list.bytes,
    chats,
    hasFile: (id) => present.has(id),
  });
  const path = list.database;
  const told = found.filter(({ id }) => id === undefined || !moved.has(id));
  if (cells.length === 0) return nothing(told.map(({ what }) => what));
  const repairs = told.map(({ what, id }) => {
    const title = id === undefined ? undefined : (chats.get(id)?.title ?? list.titleOf(id));
    return { path, what, ...(title !== undefined && { title }) };
  });
  const ids = found.flatMap(({ id }) => id ?? []);
  const part = { repairs, losses: [], ids, basis: [] };
  if (list.state === "there") {
    return { ...part, steps: [await toSet(fs, { database: path }, cells, now)] };
  }
  return { ...part, ...(await remakeDatabase(fs, list, cells, now)) };
}

/** VS Code's own copy of it where there is one, else one that holds the list and nothing more. */
async function remakeDatabase(
  fs: SessionFs,
  { database: path, state, backup }: StoredList,
  cells: readonly Cell[],
  now: Date,
): Promise<Pick<StoreRescue, "steps" | "repairs" | "basis" | "losses">> {
  const entries = Object.fromEntries(cells.map(({ at, after }) => [at?.[1], JSON.parse(after ?? "null")]));
  const bytes = toKeyValueDb(TABLE, { [INDEX_KEY]: JSON.stringify({ version: 1, entries }) });
  const copy = backup === undefined ? undefined : await lookThrough(fs, backup);
  const pieces: Piece[] =
    copy?.kind === "file"
      ? [{ file: copy.path, start: 0, end: copy.size }]
      : [{ base64: Buffer.from(bytes).toString("base64") }];
  const old = await lookThrough(fs, path);
  const like = old ?? copy;
  const planned = toFile(
    path,
    pieces,
    like?.kind === "file" ? like.mode : (await storeModes(fs, dirname(path))).file,
    now.getTime(),
  );
  const what = `VS Code's database of the workspace is ${state === "lost" ? "gone" : "damaged"}`;
  return {
    basis: [...(old ? [{ entry: old }] : []), ...(copy ? [{ entry: copy }] : [])],
    steps: [{ does: old ? "replace" : "place", path, entries: [planned] }],
    repairs: [
      {
        path,
        what: `${what}: ${copy ? "restored from VS Code's own copy" : "created again, with its list of chats"}`,
      },
    ],
    losses: copy
      ? [
          {
            say: `${path}: chats that are newer than VS Code's copy of it; once more run`,
            remedy: { action: "rescue", args: { vscode: true } },
          },
        ]
      : [],
  };
}
