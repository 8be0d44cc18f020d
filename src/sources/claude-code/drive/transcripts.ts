/** Finds transcripts by the ids of their sessions, as the program does: in any project's folder. */
import { join } from "node:path";
import { eachLine } from "../../../platform/fs/lines.ts";
import { type FolderEntry, isErrno, type SessionFs, statEach } from "../../../platform/fs/session-fs.ts";
import type { JustMade } from "../../driver.ts";
import { decodeLine } from "../../log/jsonl.ts";
import { folderName, isSessionId, projectsFolder } from "../locate.ts";

/** Where a session's transcript is; the latest, where somebody copied it. */
export async function findTranscript(fs: SessionFs, root: string, id: string): Promise<string | undefined> {
  if (!isSessionId(id)) return undefined;
  const projects = projectsFolder(root);
  const places = (await entriesIn(fs, projects))
    .filter(({ kind }) => kind === "folder")
    .map(({ name }) => join(projects, name, `${id}.jsonl`));
  const stats = await statEach(fs, places);
  let found: { readonly path: string; readonly mtimeMs: number } | undefined;
  for (const [at, stat] of stats.entries()) {
    if (!stat || stat instanceof Error || stat.kind !== "file") continue;
    const path = places[at] as string;
    if (!found || stat.mtimeMs > found.mtimeMs) found = { path, mtimeMs: stat.mtimeMs };
  }
  return found?.path;
}

/** Where the transcript of a session that begins in a folder will be. */
export const newTranscript = (root: string, id: string, folder: string): string =>
  join(projectsFolder(root), folderName(folder), `${id}.jsonl`);

export async function sessions(fs: SessionFs, root: string): Promise<Set<string>> {
  const projects = projectsFolder(root);
  const ids = new Set<string>();
  for (const { name, kind } of await entriesIn(fs, projects))
    if (kind === "folder") for (const id of await sessionsIn(fs, join(projects, name))) ids.add(id);
  return ids;
}

/** Each folder has its own sessions, so a new one among them is the one that was just made, unless there are two. */
export async function capture(
  fs: SessionFs,
  root: string,
  { folder, known }: Pick<JustMade, "folder" | "known">,
): Promise<string | undefined> {
  const ids = await sessionsIn(fs, join(projectsFolder(root), folderName(folder)));
  const made = ids.filter((id) => !known.has(id));
  return made.length === 1 ? made[0] : undefined;
}

/** A program that was killed before it wrote the prompt down leaves a transcript that it does not resume. */
export async function hasConversation(fs: SessionFs, transcript: string): Promise<boolean> {
  let isFound = false;
  await eachLine(
    fs,
    transcript,
    (line) => {
      const decoded = isFound ? undefined : decodeLine(line);
      if (decoded?.kind !== "record") return;
      const { type, timestamp } = decoded.record;
      isFound = (type === "user" || type === "assistant") && typeof timestamp === "string";
    },
    { pass: () => isFound },
  );
  return isFound;
}

async function sessionsIn(fs: SessionFs, folder: string): Promise<string[]> {
  return (await entriesIn(fs, folder)).flatMap(({ name, kind }) => {
    const id = kind === "file" && name.endsWith(".jsonl") ? name.slice(0, -".jsonl".length) : "";
    return isSessionId(id) ? [id] : [];
  });
}

async function entriesIn(fs: SessionFs, folder: string): Promise<readonly FolderEntry[]> {
  try {
    return await fs.readdir(folder);
  } catch (error) {
    if (isErrno(error, "ENOENT", "ENOTDIR", "EACCES", "EPERM")) return [];
    throw error;
  }
}
