/** Moves a session to another workspace: it is written and listed there first, then removed here. */
import { dirname } from "node:path";
import { AppError } from "../../../../model/errors.ts";
import type { Basis, Draft, Entry, Planned, Step } from "../../../../model/plan.ts";
import type { Artifact } from "../../../../model/session/session.ts";
import { toFileDate } from "../../../../model/values/time.ts";
import { hostOf } from "../../../../model/values/workspace-place.ts";
import { lookThrough, readTreeThrough } from "../../../../platform/fs/fs-links.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import type { MoveRequest } from "../../../requests.ts";
import { SOURCE } from "../../format/problems.ts";
import { editingStateIn } from "../../index-db/stores.ts";
import { type Form, fileFor, formFor, toText } from "../copy/form.ts";
import { type Inspection, inspectSession } from "../copy/inspect.ts";
import { type Home, homeOf, stagingDir, traces } from "../copy/session-home.ts";
import { dateFor } from "../list/entry-date.ts";
import { factsOf } from "../list/entry-facts.ts";
import { insertSession, toFile } from "../list/insert-session.ts";
import { type List, readList, removeEntry, toEntry, toSet } from "../list/list.ts";
import { fileModeIn } from "../list/neighbours.ts";
import { readState } from "../patch/state.ts";
import { type MovedContent, moveContent, moveInText } from "./content.ts";
import { findRoute, type Route } from "./route.ts";

export async function move(fs: SessionFs, artifact: Artifact, request: MoveRequest): Promise<Draft> {
  const { id } = artifact;
  const { now } = request;
  const own = homeOf(artifact);
  const inspected = await inspectSession(fs, artifact);
  const route = await findRoute(fs, artifact, request);
  const { home } = route.target;
  const form = await formFor(fs, home.sessions, inspected);
  const path = fileFor(home.sessions, id, form);
  const content = await contentOf(fs, artifact, inspected, route, form, request.text);
  const { pieces, ...counts } = content;
  const about = {
    from: route.from,
    to: route.to,
    isHere: true,
    ...counts,
    fileStates: 0,
    withText: request.text,
  };
  if (path === artifact.path)
    return { session: { source: SOURCE, id, path }, basis: [], steps: [], losses: [], move: about };

  const there = await alreadyThere(fs, artifact, home, path);
  const list = await readList(fs, own.database);
  const old = await traces(fs, artifact, own);
  const along = await besides(fs, artifact, own, home, route, old);
  const original = await lookThrough(fs, artifact.path);
  const mode = original?.kind === "file" ? original.mode : await fileModeIn(fs, home.sessions);
  const file = { ...toFile(path, pieces, timeOf(artifact), mode), like: artifact.path };
  const listed = await entryFor(fs, artifact, inspected, list, route, now);
  const entered = await insertSession(
    fs,
    route.target,
    {
      file,
      beside: along,
      listed,
      isThere: there !== undefined,
    },
    now,
  );
  const cells = removeEntry(list, id);
  const isElsewhere = request.root !== undefined && request.root !== artifact.root;
  const steps: Step[] = [
    ...entered.steps.map((step) =>
      isElsewhere && request.root !== undefined ? { ...step, hideout: stagingDir(request.root) } : step,
    ),
    ...(cells.length > 0 ? [await toSet(fs, list, cells, now)] : []),
    ...old.flatMap(([first]) => (first ? [{ does: "remove" as const, path: first.path }] : [])),
  ];
  return {
    session: { source: SOURCE, id, path },
    basis: [
      ...old.flatMap((entries) => entries.map((entry): Basis => ({ entry }))),
      ...(there ? [{ entry: there }] : []),
    ],
    steps,
    losses: [...(await leftBehind(fs, own, id, route)), ...leadingElsewhere(route), ...entered.losses],
    move: about,
  };
}

export async function contentOf(
  fs: SessionFs,
  { path }: Pick<Artifact, "path">,
  inspected: Inspection,
  { relocation }: Pick<Route, "relocation">,
  form: Form,
  withText: boolean,
): Promise<MovedContent> {
  const none = { toolCalls: 0, attachments: 0, others: 0, mentions: 0 };
  const isSameForm = inspected.isLog === (form === "jsonl");
  const text = isSameForm ? undefined : toText(await readState(fs, path), form);
  if (!relocation)
    return {
      ...none,
      pieces: text === undefined ? [{ file: path, start: 0, end: inspected.size }] : [{ text }],
    };
  return text === undefined
    ? moveContent(fs, path, inspected, relocation, withText)
    : moveInText(text, relocation, withText);
}

/** When a window becomes another workspace, VS Code copies the files there and forgets to list them. */
async function alreadyThere(
  fs: SessionFs,
  artifact: Artifact,
  home: Home,
  path: string,
): Promise<Entry | undefined> {
  const twins = (["json", "jsonl"] as const).map((form) => fileFor(home.sessions, artifact.id, form));
  const entry = await lookThrough(fs, path);
  const others: Entry[] = [];
  for (const twin of twins.filter((each) => each !== path)) {
    const other = await lookThrough(fs, twin);
    if (other) others.push(other);
  }
  const isCopy = entry && Buffer.from(await fs.read(path)).equals(Buffer.from(await fs.read(artifact.path)));
  if ((!entry || isCopy) && others.length === 0) return entry;
  throw new AppError(
    "session-exists",
    `${home.sessions} already has session ${artifact.id} with different content`,
    {
      say: "Make a copy with a new id there",
      remedy: { action: "clone", asks: { session: "session", to: "folder or workspace id" } },
    },
  );
}

/** What the extension keeps about the session, and, where files have the same paths, the points to undo edits to. */
export async function besides(
  fs: SessionFs,
  { id }: Pick<Artifact, "id">,
  own: Home,
  home: Home,
  { isSamePlace }: Pick<Route, "isSamePlace">,
  old: readonly (readonly Entry[])[],
): Promise<Planned[][]> {
  if (own.folder === undefined || home.folder === undefined) return [];
  const [from, to] = [own.folder, home.folder];
  const editing = dirname(editingStateIn(from, id));
  const paths = old
    .flatMap(([first]) => (first ? [first.path] : []))
    .filter((path) => !path.startsWith(own.sessions) && (isSamePlace || path !== editing));
  const copies: Planned[][] = [];
  for (const path of paths) {
    if ((await lookThrough(fs, to + path.slice(from.length))) !== undefined) continue;
    copies.push((await readTreeThrough(fs, path)).map((entry) => copyOf(entry, from, to)));
  }
  return copies;
}

function copyOf(entry: Entry, from: string, to: string): Planned {
  const path = to + entry.path.slice(from.length);
  const { uid: _uid, gid: _gid, ...rest } = entry;
  if (rest.kind !== "file") return { ...rest, path, like: entry.path };
  const { ino: _, ...file } = rest;
  return { ...file, path, like: entry.path, pieces: [{ file: entry.path, start: 0, end: rest.size }] };
}

async function entryFor(
  fs: SessionFs,
  { id }: Artifact,
  inspected: Inspection,
  list: List,
  { target }: Route,
  now: Date,
): Promise<ReturnType<typeof toEntry>> {
  const original = list.entries.get(id);
  const facts = factsOf(inspected, inspected.turns, now);
  const at = await dateFor(fs, target, facts, original, now);
  const entry = { ...facts, id, title: inspected.title, now: at };
  return { ...toEntry(entry, original), ...(original?.timing !== undefined && { timing: original.timing }) };
}

const timeOf = ({ fingerprint }: Artifact): Date => toFileDate(fingerprint.mtimeMs);

/** Addresses of a connection are no paths, so they do not become those of another folder. */
function leadingElsewhere({ from, to }: Route): string[] {
  const [of, now] = [hostOf(from), hostOf(to)];
  return of === undefined || of === now ? [] : [`addresses of files on ${of}, which still lead there`];
}

export async function leftBehind(
  fs: SessionFs,
  { folder }: Home,
  id: string,
  { isSamePlace }: Pick<Route, "isSamePlace">,
): Promise<string[]> {
  if (isSamePlace || folder === undefined) return [];
  const hasEdits = (await lookThrough(fs, dirname(editingStateIn(folder, id)))) !== undefined;
  return hasEdits ? ["the states for undoing edits in VS Code, because the files have other paths now"] : [];
}
