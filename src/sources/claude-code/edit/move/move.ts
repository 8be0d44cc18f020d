/**
 * Moves a session to another folder: its transcript and its own folder go to where the program keeps the sessions of the
 * new one, with every path that led to the old one rewritten.
 */
import { basename, dirname, join } from "node:path";
import { AppError } from "../../../../model/errors.ts";
import {
  type Basis,
  type Draft,
  type Entry,
  type Piece,
  type Planned,
  type Step,
  sizeOfPieces,
} from "../../../../model/plan.ts";
import type { Artifact } from "../../../../model/session/session.ts";
import { formatKey } from "../../../../model/values/id.ts";
import { createMentionFinder, type Relocation, relocate } from "../../../../model/values/relocate.ts";
import { toFileDate } from "../../../../model/values/time.ts";
import { entryAt, lookThrough, readTreeThrough } from "../../../../platform/fs/fs-links.ts";
import { eachLine, LONGEST_LINE } from "../../../../platform/fs/lines.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import { type MovedLog, moveLog, passedLines, toPieces } from "../../../log/moved-log.ts";
import type { MoveRequest } from "../../../requests.ts";
import { files } from "../../files.ts";
import { fileHistory, sessionFolder } from "../../locate.ts";
import { SOURCE } from "../../scan.ts";
import { decodeSkimming } from "../../skim.ts";
import { firstPass } from "../../tree/first-pass.ts";
import { transcriptPath } from "../copy/place.ts";
import { withProjectFolder } from "../copy/project-folder.ts";
import { refuseAgent } from "../transcript.ts";
import { createStateMover } from "./file-states.ts";
import { type OwnFolders, type RowMove, rowRules } from "./rows.ts";

export async function move(fs: SessionFs, artifact: Artifact, request: MoveRequest): Promise<Draft> {
  refuseAgent(artifact);
  const { id, root, path } = artifact;
  const former = await workspaceOf(fs, path);
  if (former === undefined) throw nowhere(artifact);
  const relocation = { from: request.from ?? former, to: request.to };
  const cwd = relocate(former, relocation) ?? former;
  const to = await transcriptPath(fs, artifact, id, cwd);
  if (to !== path && (await entryAt(fs, to))) throw alreadyThere(artifact, to);

  const beside = await besides(fs, artifact);
  const own: OwnFolders = {
    id,
    session: { from: sessionFolder(path), to: sessionFolder(to) },
    project: { from: dirname(path), to: dirname(to) },
    projectName: basename(dirname(path)),
    outputs: new Set(beside.filter(({ path: each }) => isOutput(each)).map((each) => basename(each.path))),
  };
  const states = createStateMover(former, relocation);
  const about: RowMove = { relocation, place: relocation, states, root, withText: request.text, own };
  const contents = createContents(fs, about);
  const transcript = await lookThrough(fs, path);
  const entries = [...beside, ...(transcript ? [transcript] : [])];
  const planned: Planned[] = [];
  for (const entry of entries)
    if (!isShortcut(entry.path)) planned.push(await plannedAt(entry, to, own.project, contents));
  for (const { path: place } of to === path ? [] : planned)
    if (dirname(place) === own.project.to && (await entryAt(fs, place))) throw inTheWay(artifact, place);
  const isSame = to === path && relocation.from === relocation.to;
  const moved = to === path ? inPlace(planned) : await elsewhere(fs, planned, entries, own, request.now);
  const renamed = await renameStates(fs, artifact, states.names);
  const isHere = (await fs.exists(cwd)) && (await fs.stat(cwd)).kind === "folder";
  return {
    session: { source: SOURCE, id, path: to },
    basis: isSame ? [] : [...entries.map((entry): Basis => ({ entry })), ...renamed.basis],
    steps: isSame ? [] : [...renamed.steps, ...moved],
    losses: [...passedLines(contents.counts.passed), ...(await notesLeft(fs, own))],
    move: {
      ...relocation,
      isHere,
      toolCalls: contents.counts.toolCalls,
      attachments: contents.counts.attachments,
      fileStates: states.count(),
      others: contents.counts.folders + contents.counts.others,
      mentions: contents.counts.mentions,
      withText: request.text,
    },
  };
}

/** The folder that the session is about. */
async function workspaceOf(fs: SessionFs, path: string): Promise<string | undefined> {
  const { workspace } = await firstPass(fs, path, () => undefined, { decode: decodeSkimming(0) });
  return workspace;
}

const nowhere = (artifact: Artifact): AppError =>
  new AppError("not-supported", `Session ${artifact.id} does not record its folder, so it cannot be moved`, {
    say: "Make a copy for the new folder",
    remedy: { action: "clone", session: formatKey(artifact), asks: { to: "folder" } },
  });

const alreadyThere = (artifact: Artifact, to: string): AppError =>
  new AppError("session-exists", `${dirname(to)} already has a session ${artifact.id}`, {
    say: "Make a copy with a new id there",
    remedy: { action: "clone", session: formatKey(artifact), asks: { to: "folder" } },
  });

/** Left behind by a session whose transcript is gone, for instance: whose it is cannot be told. */
const inTheWay = ({ id }: Artifact, place: string): AppError =>
  new AppError(
    "session-exists",
    `${place} is there already, so session ${id} cannot be moved to that folder`,
    "Move it away, then run the command again",
  );

/** What lies beside a transcript and belongs to it, outermost first. */
async function besides(fs: SessionFs, artifact: Artifact): Promise<Entry[]> {
  const own = sessionFolder(artifact.path);
  const tree = await readTreeThrough(fs, own);
  // Older releases put the logs of sub-agents beside the transcripts.
  const isBeside = (path: string): boolean =>
    path !== artifact.path && dirname(path) === dirname(artifact.path);
  for (const path of (await files(fs, artifact)).filter(isBeside)) {
    const entry = await lookThrough(fs, path);
    if (entry) tree.push(entry);
  }
  return tree;
}

const isOutput = (path: string): boolean => basename(dirname(path)) === "tool-results";

/** Made of the transcript as it was; the program makes it anew. */
const isShortcut = (path: string): boolean => basename(path) === "resume-head.jsonl";

type Counts = Omit<MovedLog, "pieces">;

interface Contents {
  readonly counts: Counts;
  of(entry: Entry & { kind: "file" }): Promise<readonly Piece[]>;
}

/** What files are made of afterwards, with a count of all that changes. */
function createContents(fs: SessionFs, about: RowMove): Contents {
  const rules = rowRules(about);
  const counts = { toolCalls: 0, attachments: 0, folders: 0, others: 0, mentions: 0, passed: [] as number[] };
  return {
    counts,
    async of({ path, size }) {
      if (isOutput(path)) {
        const { pieces, mentions } = await moveWords(fs, path, size, about);
        counts.mentions += mentions;
        return pieces;
      }
      if (!path.endsWith(".jsonl")) return size === 0 ? [] : [{ file: path, start: 0, end: size }];
      const moved = await moveLog(fs, path, size, about.relocation, rules);
      for (const name of ["toolCalls", "attachments", "folders", "others", "mentions"] as const)
        counts[name] += moved[name];
      counts.passed.push(...moved.passed);
      return moved.pieces;
    },
  };
}

/** What tools printed is words. */
async function moveWords(
  fs: SessionFs,
  path: string,
  size: number,
  { relocation, withText }: RowMove,
): Promise<{ pieces: readonly Piece[]; mentions: number }> {
  const find = createMentionFinder(relocation);
  const edits: { start: number; end: number; text: string }[] = [];
  await eachLine(
    fs,
    path,
    ({ bytes, end, cut }) => {
      const text = bytes.toString("utf8");
      if (cut > 0 || text.includes("\ufffd")) return;
      const at = end - bytes.length;
      for (const mention of find(text))
        edits.push({
          start: at + Buffer.byteLength(text.slice(0, mention.start)),
          end: at + Buffer.byteLength(text.slice(0, mention.end)),
          text: mention.text,
        });
    },
    { start: 0, end: size, maxLine: LONGEST_LINE, skipLong: true },
  );
  return { pieces: toPieces(path, size, withText ? edits : []), mentions: edits.length };
}

/** An entry at its new place. Moving is no work in the session, so its times stay. */
async function plannedAt(
  entry: Entry,
  transcript: string,
  project: Relocation,
  contents: Contents,
): Promise<Planned> {
  const path = join(dirname(transcript), entry.path.slice(project.from.length + 1));
  const { uid: _uid, gid: _gid, ...rest } = entry;
  if (rest.kind !== "file") return { ...rest, path, like: entry.path };
  const { ino: _, ...file } = rest;
  const pieces = await contents.of(rest);
  const mtimeMs = Math.floor(rest.mtimeMs);
  return { ...file, mtimeMs, path, like: entry.path, size: sizeOfPieces(pieces), pieces };
}

/** The new folder has the same name among the program's folders. */
function inPlace(planned: readonly Planned[]): Step[] {
  const isChanged = ({ pieces = [] }: Planned): boolean => pieces.some((piece) => !("file" in piece));
  return planned.filter(isChanged).map((entry): Step => {
    // Another moment, so that the files can be told apart.
    const file = { ...entry, mtimeMs: toFileDate((entry.mtimeMs ?? 0) + 1).getTime() } as Planned;
    return { does: "replace", path: entry.path, entries: [file] };
  });
}

/** What the rows name is there before they are, and goes only after them. */
async function elsewhere(
  fs: SessionFs,
  planned: readonly Planned[],
  entries: readonly Entry[],
  { session, project }: OwnFolders,
  now: Date,
): Promise<readonly Step[]> {
  const isInside = (path: string, folder: string): boolean =>
    path === folder || path.startsWith(join(folder, "/"));
  const inside = planned.filter(({ path }) => isInside(path, session.to));
  const others = planned.filter(({ path }) => !isInside(path, session.to));
  const placed: Step[] = [
    ...(inside.length > 0 ? [{ does: "place" as const, path: session.to, entries: inside }] : []),
    ...others.map((entry): Step => ({ does: "place", path: entry.path, entries: [entry] })),
  ];
  const gone = entries
    .map(({ path }) => path)
    .filter((path) => path === session.from || !isInside(path, session.from))
    .toReversed();
  return [
    ...(await withProjectFolder(fs, placed, project.to, now)),
    ...gone.map((path): Step => ({ does: "remove", path })),
  ];
}

/** The copies of files are called after the paths of these. */
async function renameStates(
  fs: SessionFs,
  { root, id }: Artifact,
  names: ReadonlyMap<string, string>,
): Promise<Pick<Draft, "basis" | "steps">> {
  const folder = fileHistory(root, id);
  const entries = await readTreeThrough(fs, folder);
  if (!entries.some(({ path }) => names.has(basename(path)))) return { basis: [], steps: [] };
  const planned = entries.map((entry): Planned => {
    const { uid: _uid, gid: _gid, ...rest } = entry;
    const path = join(dirname(entry.path), names.get(basename(entry.path)) ?? basename(entry.path));
    if (rest.kind !== "file") return { ...rest, path, like: entry.path };
    const { ino: _, ...file } = rest;
    const pieces = file.size === 0 ? [] : [{ file: entry.path, start: 0, end: file.size }];
    return { ...file, mtimeMs: Math.floor(file.mtimeMs), path, like: entry.path, pieces };
  });
  return {
    basis: entries.map((entry) => ({ entry })),
    steps: [{ does: "replace", path: folder, entries: planned }],
  };
}

/** Notes that the model keeps for a folder are shared by its sessions, so they do not follow one of them. */
async function notesLeft(fs: SessionFs, { project }: OwnFolders): Promise<string[]> {
  const notes = join(project.from, "memory");
  const hasNotes = project.from !== project.to && (await readTreeThrough(fs, notes)).length > 1;
  return hasNotes ? [`the notes that Claude Code keeps for the old folder; they stay in ${notes}`] : [];
}
