/** The steps that restore workspace files, and the errors for those that cannot be restored. */
import { dirname, join, relative } from "node:path";
import { AppError } from "../../model/errors.ts";
import type { Basis, Draft, Entry, Planned, Step } from "../../model/plan.ts";
import type { WorkspaceFile } from "../../model/plan-facts.ts";
import type { Remedy } from "../../model/remedy.ts";
import { formatKey, type SessionKey } from "../../model/values/id.ts";
import { relocate } from "../../model/values/relocate.ts";
import { hashOf } from "../../platform/fs/file-hash.ts";
import { createHolders } from "../../platform/fs/fs-identity.ts";
import { entryAt, lookThrough } from "../../platform/fs/fs-links.ts";
import type { SessionFs } from "../../platform/fs/session-fs.ts";
import { type Deed, decide, type FileContent, type FileStory } from "./back.ts";
import { lookPresent } from "./present.ts";

export interface FilesBack extends Pick<Draft, "basis" | "steps" | "losses"> {
  readonly files: readonly WorkspaceFile[];
}

type FileEntry = Extract<Entry, { kind: "file" }>;

export interface FilesRequest {
  readonly session: SessionKey;
  /** What people call the program that recorded the states. */
  readonly program: string;
  /** The program's own copy of a file as it was, by its hash. */
  readonly findBackup: (hash: string) => Promise<Entry | undefined>;
  /** The folder that paths are relative to. */
  readonly workspace?: string;
  /** Whether a file belongs to what the session is about. */
  readonly isInside: (place: string) => Promise<boolean>;
  /** Files that do not are changed, too. */
  readonly outside: boolean;
  /** Files that were changed since refuse the whole. */
  readonly strict: boolean;
  /** The last turn that is kept, or the first event that goes. */
  readonly to: number | string;
  readonly now: Date;
}

/** Whether a file lies in one of these folders: by what they are, not by how they are spelled. */
export async function insideOf(
  fs: SessionFs,
  folders: readonly string[],
): Promise<(place: string) => Promise<boolean>> {
  const holderOf = await createHolders(fs, folders);
  return async (place) => (await holderOf(place)) !== undefined;
}

/** As many are named before the rest is only counted. */
const NAMED = 5;

export async function takeFilesBack(
  fs: SessionFs,
  stories: readonly FileStory[],
  request: FilesRequest,
): Promise<FilesBack> {
  const deeds: Decision[] = [];
  for (const story of stories) deeds.push({ story, deed: decide(story, await lookPresent(fs, story.path)) });
  const nameOf = (path: string): string => toName(path, request.workspace);
  if (request.strict) refuse(deeds, nameOf, request);
  const outside = new Set<string>();
  for (const { deed } of deeds)
    if ("place" in deed && !(await request.isInside(deed.place))) outside.add(deed.place);
  if (!request.outside) refuseOutside(deeds, outside, request);
  const backups = await findBackups(fs, deeds, nameOf, request);
  const losses = deeds.flatMap(({ story, deed }) =>
    deed.does === "leave"
      ? [`${nameOf(story.path)}, of which no earlier state was recorded (${deed.why})`]
      : [],
  );
  return {
    ...(await toSteps(fs, deeds, backups, request.now)),
    losses,
    files: deeds.map(({ story, deed }) => ({
      ...toFile(story, becomes(deed)),
      ...skipped(deed),
      ...("place" in deed && deed.place !== story.path && { place: deed.place }),
      ...("place" in deed && outside.has(deed.place) && { isOutside: true }),
    })),
  };
}

export const toFile = (
  { path, change, linesAdded, linesRemoved }: FileStory,
  becomes: WorkspaceFile["becomes"],
): WorkspaceFile => ({ path, change, becomes, linesAdded, linesRemoved });

const becomes = ({ does }: Deed): WorkspaceFile["becomes"] =>
  does === "remove" ? "removed" : does === "write" || does === "link" ? "restored" : "unchanged";

function skipped(deed: Deed): Pick<WorkspaceFile, "skipped"> {
  if (deed.does === "leave") return { skipped: "skipped-capture" };
  if (deed.does !== "refuse") return {};
  return { skipped: deed.why === "changed" ? "user-modified" : "link-changed" };
}

/** Below the workspace by the way from there, elsewhere whole. */
function toName(path: string, workspace: string | undefined): string {
  const isInside = workspace !== undefined && relocate(path, { from: workspace, to: "" }) !== undefined;
  return isInside ? relative(workspace, path) : path;
}

interface Decision {
  readonly story: FileStory;
  readonly deed: Deed;
}

function refuse(deeds: readonly Decision[], nameOf: (path: string) => string, request: FilesRequest): void {
  const why = (wanted: "changed" | "elsewhere"): string[] =>
    deeds.flatMap(({ story, deed }) => (deed.does === "refuse" && deed.why === wanted ? [story.path] : []));
  const [changed, elsewhere] = [why("changed"), why("elsewhere")];
  if (changed.length + elsewhere.length === 0) return;
  throw new AppError(
    "changed-since",
    changed.length > 0
      ? `${listed(changed, nameOf)} changed since these turns, and restoring would lose the changes`
      : `${listed(elsewhere, nameOf)}: symbolic links now lead to other files than in these turns, and those must not be changed`,
    { say: "Save your changes elsewhere, or rewind without files", remedy: withoutFiles(request) },
  );
}

/** By their real places: a path in the workspace may lead out of it. */
function refuseOutside(
  deeds: readonly Decision[],
  outside: ReadonlySet<string>,
  request: FilesRequest,
): void {
  const places = deeds.flatMap(({ deed }) =>
    "place" in deed && outside.has(deed.place) ? [deed.place] : [],
  );
  if (places.length === 0) return;
  const folder = request.workspace === undefined ? "" : `, ${request.workspace}`;
  throw new AppError(
    "outside-workspace",
    `These turns changed files outside the session's folder${folder}: ${listed(places, (path) => path)}`,
    {
      say: "Add --outside to restore them as well, or rewind without files",
      remedy: withoutFiles(request),
    },
  );
}

const withoutFiles = ({ session, to }: FilesRequest): Remedy => ({
  action: "rewind",
  session: formatKey(session),
  args: { to },
});

function listed(paths: readonly string[], nameOf: (path: string) => string): string {
  const more = paths.length > NAMED ? ` and ${paths.length - NAMED} more` : "";
  return `${paths.slice(0, NAMED).map(nameOf).join(", ")}${more}`;
}

/** The earlier bytes of files, by hash; each is verified here. */
async function findBackups(
  fs: SessionFs,
  deeds: readonly Decision[],
  nameOf: (path: string) => string,
  request: FilesRequest,
): Promise<ReadonlyMap<string, FileEntry>> {
  const found = new Map<string, FileEntry>();
  const missing: string[] = [];
  for (const { story, deed } of deeds) {
    if (deed.does !== "write" || found.has(deed.content.hash)) continue;
    const { hash } = deed.content;
    const entry = await request.findBackup(hash);
    if (entry?.kind === "file" && (await hashOf(fs, entry.path)) === hash) found.set(hash, entry);
    else missing.push(story.path);
  }
  if (missing.length === 0) return found;
  throw new AppError(
    "unreadable",
    `${request.program}'s copy of ${listed(missing, nameOf)} is missing or damaged, so it cannot be restored`,
    { say: "Rewind without files", remedy: withoutFiles(request) },
  );
}

async function toSteps(
  fs: SessionFs,
  deeds: readonly Decision[],
  backups: ReadonlyMap<string, FileEntry>,
  now: Date,
): Promise<Pick<Draft, "basis" | "steps">> {
  const basis: Basis[] = [...backups.values()].map((entry) => ({ entry }));
  const steps: Step[] = [];
  const placed = new Map<string, Planned[]>();
  const taken = new Set<string>();
  for (const { deed } of deeds) {
    if (deed.does === "nothing" || deed.does === "leave" || deed.does === "refuse") continue;
    const { place: path } = deed;
    if (taken.has(path)) continue; // two names for one file: the first to be written tells what it was
    taken.add(path);
    const there = await entryAt(fs, path);
    if (there) basis.push({ entry: there });
    if (deed.does === "remove") steps.push({ does: "remove", path, hideout: hideoutOf(path) });
    else {
      const entry: Planned =
        deed.does === "link"
          ? { kind: "link", path, target: deed.target }
          : toPlanned(path, deed.content, backups.get(deed.content.hash), now);
      if (there) steps.push({ does: "replace", path, entries: [entry], hideout: hideoutOf(path) });
      else {
        const top = await topMissing(fs, path);
        placed.set(top, [...(placed.get(top) ?? []), entry]);
      }
    }
  }
  for (const [top, entries] of placed)
    steps.push({
      does: "place",
      path: top,
      entries: await withFolders(fs, top, entries, now),
      hideout: hideoutOf(top),
    });
  return { basis, steps };
}

function toPlanned(
  path: string,
  { mode, hash }: FileContent,
  backup: FileEntry | undefined,
  now: Date,
): Planned {
  if (!backup) throw new Error(`no backup of ${path}`);
  const { size } = backup;
  const pieces = size === 0 ? [] : [{ file: backup.path, start: 0, end: size }];
  return { kind: "file", path, mode, mtimeMs: now.getTime(), size, pieces, sha256: hash };
}

/** Where the file's folder lies on another disk than ours; it is gone again with the write. */
const hideoutOf = (path: string): string => join(dirname(path), ".rethread");

/** The outermost folder that went with a file, or the file itself. */
async function topMissing(fs: SessionFs, path: string): Promise<string> {
  let top = path;
  while (dirname(top) !== top && !(await entryAt(fs, dirname(top)))) top = dirname(top);
  return top;
}

/** What was in one folder comes back with it, outermost first. */
async function withFolders(
  fs: SessionFs,
  top: string,
  files: readonly Planned[],
  now: Date,
): Promise<Planned[]> {
  const around = await lookThrough(fs, dirname(top));
  const mode = around?.kind === "folder" ? around.mode : 0o755;
  const folders = new Set<string>();
  for (const { path } of files)
    for (let at = dirname(path); at.length >= top.length; at = dirname(at)) folders.add(at);
  return [
    ...[...folders].sort().map((path): Planned => ({ kind: "folder", path, mode, mtimeMs: now.getTime() })),
    ...files,
  ];
}
