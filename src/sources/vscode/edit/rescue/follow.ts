/** Moves repaired chats of one workspace into another: what each arrives with, and what goes from its old place. */
import { AppError } from "../../../../model/errors.ts";
import type { Basis, Entry, Piece, Planned, Step } from "../../../../model/plan.ts";
import type { Repair } from "../../../../model/plan-facts.ts";
import { toFileDate } from "../../../../model/values/time.ts";
import { lookThrough } from "../../../../platform/fs/fs-links.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import { SOURCE } from "../../format/problems.ts";
import { type Form, fileFor, formFor } from "../copy/form.ts";
import { inspectSession } from "../copy/inspect.ts";
import { homeIn, traces } from "../copy/session-home.ts";
import { insertSession, toFile } from "../list/insert-session.ts";
import { joinSteps } from "../list/join-steps.ts";
import { moveInText } from "../move/content.ts";
import { besides, contentOf, leftBehind } from "../move/move.ts";
import type { Follow } from "./adoption.ts";
import type { StoredList } from "./index-state.ts";
import { entryOf } from "./list.ts";
import type { ChatFacts, FilePart } from "./part.ts";

/** A chat as it comes to its new workspace. */
export interface Arrival {
  readonly id: string;
  readonly path: string;
  readonly facts: ChatFacts;
  /** Missing where the same file is there already. */
  readonly file?: Planned;
  readonly beside: readonly (readonly Planned[])[];
  readonly repair: Repair;
}

export interface Departure {
  readonly arrivals: readonly Arrival[];
  readonly removals: readonly Step[];
  readonly basis: readonly Basis[];
  readonly losses: readonly string[];
  /** Those that stay, and why. */
  readonly stay: readonly { readonly title: string; readonly why: string }[];
}

/** `taken` are the chats that others bring to the same workspace; what this one brings is added. */
export async function depart(
  fs: SessionFs,
  follow: Follow,
  parts: readonly FilePart[],
  list: StoredList,
  taken: Set<string>,
): Promise<Departure> {
  const arrivals: Arrival[] = [];
  const removals: Step[] = [];
  const basis: Basis[] = [];
  const losses = new Set<string>();
  const stay: { title: string; why: string }[] = [];
  const own = homeIn(follow.from.store.folder ?? "");
  const route = routeOf(follow);
  for (const part of parts) {
    if (!part.facts) continue;
    const title = part.title ?? part.id;
    if (taken.has(part.id)) {
      stay.push({ title, why: "a newer copy of it has moved there" });
      continue;
    }
    try {
      const { basis: read, ...arrival } = await arrive(fs, follow, part, part.facts, list);
      arrivals.push(arrival);
      basis.push(...read);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      stay.push({ title, why: error.message });
      continue;
    }
    taken.add(part.id);
    for (const entries of await traces(fs, artifactOf(follow, part), own)) {
      basis.push(...entries.map((entry): Basis => ({ entry })));
      if (entries[0]) removals.push({ does: "remove", path: entries[0].path });
    }
    for (const loss of await leftBehind(fs, own, part.id, route)) losses.add(loss);
  }
  return { arrivals, removals, basis, losses: [...losses], stay };
}

const routeOf = ({ folder, to }: Follow) => ({
  isSamePlace: folder === to,
  ...(folder !== to && { relocation: { from: folder, to } }),
});

/** As the scan would find it once it is repaired. */
const artifactOf = ({ from }: Follow, { id, sessionPath }: FilePart) => ({
  source: SOURCE,
  id,
  root: from.artifacts[0]?.root ?? "",
  path: sessionPath,
  fingerprint: { size: 0, mtimeMs: 0, ino: 0 },
});

async function arrive(
  fs: SessionFs,
  follow: Follow,
  part: FilePart,
  facts: ChatFacts,
  list: StoredList,
): Promise<Arrival & { readonly basis: readonly Basis[] }> {
  const { home } = follow.target;
  const own = homeIn(follow.from.store.folder ?? "");
  const artifact = artifactOf(follow, part);
  const route = routeOf(follow);
  const there = await copiesIn(fs, home.sessions, part.id);
  const { pieces, form, mode, mtimeMs } = await contentFor(fs, follow, part);
  const path = fileFor(home.sessions, part.id, form);
  const isSame = there.length === 1 && there[0] === path && (await isEqual(fs, path, pieces));
  if (there.length > 0 && !isSame)
    throw new AppError(
      "session-exists",
      "the new workspace has a chat of that id with different content",
      "Make a copy with a new id there",
    );
  const planned = toFile(path, pieces, toFileDate(mtimeMs), mode);
  const isOnDisk = (await lookThrough(fs, part.sessionPath)) !== undefined;
  const old = await traces(fs, artifact, own);
  const listed = list.entryOf(part.id);
  const how = follow.folder === follow.to ? "" : ` from ${follow.folder}`;
  return {
    id: part.id,
    path,
    facts: { ...facts, ...(listed && { listed }) },
    ...(!isSame && { file: isOnDisk ? { ...planned, like: part.sessionPath } : planned }),
    beside: await besides(fs, artifact, own, home, route, old),
    basis: await Promise.all(there.map(async (each) => ({ entry: await entryOnDisk(fs, each) }))),
    repair: {
      path,
      title: part.title ?? part.id,
      workspace: follow.to,
      what: `moved here${how}, because ${follow.why}`,
    },
  };
}

async function contentFor(
  fs: SessionFs,
  follow: Follow,
  part: FilePart,
): Promise<{ pieces: readonly Piece[]; form: Form; mode: number; mtimeMs: number }> {
  const { relocation } = routeOf(follow);
  const step = part.step && "entries" in part.step ? part.step.entries[0] : undefined;
  if (step?.kind === "file") {
    const pieces = step.pieces ?? [];
    const form = part.sessionPath.endsWith(".jsonl") ? "jsonl" : "json";
    return {
      pieces: relocation ? moveInText(await textOf(fs, pieces), relocation, false).pieces : pieces,
      form,
      mode: step.mode,
      mtimeMs: step.mtimeMs,
    };
  }
  const inspected = await inspectSession(fs, artifactOf(follow, part));
  const form = await formFor(fs, follow.target.home.sessions, inspected);
  const { pieces } = await contentOf(fs, { path: part.sessionPath }, inspected, routeOf(follow), form, false);
  const { mode, mtimeMs } = await fs.stat(part.sessionPath);
  return { pieces, form, mode: mode ?? 0o600, mtimeMs };
}

async function copiesIn(fs: SessionFs, sessions: string, id: string): Promise<string[]> {
  const found: string[] = [];
  for (const form of ["json", "jsonl"] as const) {
    const path = fileFor(sessions, id, form);
    if (await lookThrough(fs, path)) found.push(path);
  }
  return found;
}

async function entryOnDisk(fs: SessionFs, path: string): Promise<Entry> {
  const entry = await lookThrough(fs, path);
  if (!entry) throw new AppError("session-changed", `${path} has just gone`, "Run the command again");
  return entry;
}

const isEqual = async (fs: SessionFs, path: string, pieces: readonly Piece[]): Promise<boolean> =>
  Buffer.from(await fs.read(path)).equals(await bytesOf(fs, pieces));

const textOf = async (fs: SessionFs, pieces: readonly Piece[]): Promise<string> =>
  (await bytesOf(fs, pieces)).toString("utf8");

/** Repairs are made of new text and of bytes that stay. */
async function bytesOf(fs: SessionFs, pieces: readonly Piece[]): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (const piece of pieces) {
    if ("text" in piece) parts.push(Buffer.from(piece.text));
    else if ("file" in piece)
      parts.push(Buffer.from(await fs.read(piece.file, { start: piece.start, end: piece.end })));
  }
  return Buffer.concat(parts);
}

/** A folder that VS Code has never opened gets all of them at once. */
export async function arriveUnopened(
  fs: SessionFs,
  { target }: Follow,
  arrivals: readonly Arrival[],
  now: Date,
): Promise<Step[]> {
  const steps: Step[] = [];
  for (const { id, file, beside, facts } of arrivals)
    if (file)
      steps.push(
        ...(await insertSession(fs, target, { file, beside, listed: entryOf(id, facts) }, now)).steps,
      );
  return joinSteps(steps);
}
