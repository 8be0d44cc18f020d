/**
 * Looks at sessions without those that are certain to be as they were: of one that nobody has written for days, and has
 * open, only the folder is looked at. The program puts a lock there before it appends to the log, and a new
 * `workspace.yaml` with each prompt (`test/real/copilot-quiet.test.ts`); whoever rewinds or renames it, or makes a plan,
 * puts a file there, too. Only a look at everything finds what another program, or a person, changed in its place.
 */
import type { Artifact } from "../../model/session/session.ts";
import { type FolderEntry, type SessionFs, statEach } from "../../platform/fs/session-fs.ts";
import type { Glancing, ScanSink } from "../source.ts";
import { isFound, isSessionFolder, scanFolders } from "./scan.ts";
import { insideOf, LOG, pidOfLock, stateFolder, under } from "./workspace/locate.ts";

/** What the numbers are; then the time of the folder of all sessions, and of the folder of each. */
const FORM = 2;
const BEFORE = 2;
/** Two changes so close together may leave the same time, on any disk. */
const SETTLED_MS = 5000;
/** The time of no folder. */
const UNSETTLED = -1;
/** So many at once: the answers are small, and gone before the next ones come. */
const BATCH = 256;

export const glancing: Glancing = {
  async remember(fs, root, artifacts, { beganMs, quietMs }) {
    const state = stateFolder(root);
    const [around] = await statEach(fs, [state]);
    const listed = namesOf(await fs.readdir(state));
    if (!listed) return undefined;
    const byName = new Map(artifacts.map((artifact) => [artifact.id, artifact]));
    const isQuiet = (timeMs: number): boolean => timeMs < beganMs - quietMs;
    const candidates = listed.flatMap((name) => {
      const artifact = byName.get(name);
      return artifact && isQuiet(latestOf(artifact)) ? [artifact] : [];
    });
    const inside = insideOf(state);
    const stats = await statEach(
      fs,
      candidates.flatMap(({ id }) => [inside(id, LOG), under(state, id)]),
    );
    const quiet: string[] = [];
    const stamps = [
      FORM,
      isFound(around) && around.mtimeMs < beganMs - SETTLED_MS ? around.mtimeMs : UNSETTLED,
    ];
    for (const [at, { id, fingerprint }] of candidates.entries()) {
      const [log, folder] = [stats[2 * at], stats[2 * at + 1]];
      if (!isFound(log) || !isFound(folder) || !isQuiet(folder.mtimeMs)) continue;
      // As the scan saw it, and not as it may be since.
      if (log.size !== fingerprint.size || log.ino !== fingerprint.ino || !isQuiet(log.mtimeMs)) continue;
      if (await isOpened(fs, under(state, id))) continue;
      quiet.push(id);
      stamps.push(folder.mtimeMs);
    }
    const known = new Set(quiet);
    return {
      names: [...quiet, ...listed.filter((name) => !known.has(name))],
      stamps: new Float64Array(stamps),
    };
  },

  async glance(fs, root, { names, stamps }, sink) {
    if (stamps[0] !== FORM) return undefined;
    const quiet = names.slice(0, stamps.length - BEFORE);
    const state = stateFolder(root);
    const others = await othersIn(fs, state, { names, quiet: quiet.length, mtimeMs: stamps[1] ?? UNSETTLED });
    if (!others) return undefined;
    const changed = await changedOf(fs, state, quiet, stamps);
    const found = new Set<string>();
    const noting: ScanSink = {
      artifact(artifact) {
        found.add(artifact.id);
        sink.artifact(artifact);
      },
      problem: (problem) => sink.problem(problem),
    };
    await scanFolders(fs, root, [...others, ...changed], noting);
    return changed.every((name) => found.has(name)) ? quiet.length - changed.length : undefined;
  },
};

/** Who has had it open for days may go on at any time, and changes nothing but the log then. */
async function isOpened(fs: SessionFs, folder: string): Promise<boolean> {
  // One that cannot be listed may have a lock.
  const entries = await fs.readdir(folder).catch(() => undefined);
  return entries?.some(({ name }) => pidOfLock(name) !== undefined) ?? true;
}

/** The latest time of anything that the scan noted of a session. */
function latestOf({ fingerprint, sidecars }: Artifact): number {
  if (!sidecars) return Number.POSITIVE_INFINITY;
  const times = Object.values(JSON.parse(sidecars.files) as Record<string, string | undefined>);
  const folders = Object.values(JSON.parse(sidecars.folders) as Record<string, number>);
  const all = [...times.map((mark) => Number(mark?.split(" ")[1] ?? 0)), ...folders];
  return all.reduce((latest, time) => Math.max(latest, time), fingerprint.mtimeMs);
}

/**
 * The folders of sessions; nothing where there is more to look at: files of early versions, which the program reads no
 * more, and links that lead nowhere now.
 */
function namesOf(entries: readonly FolderEntry[]): string[] | undefined {
  const shown = entries.filter(({ name }) => !name.startsWith("."));
  if (shown.some(({ name, kind }) => kind === "other" || name.endsWith(".jsonl") || name.includes("\n")))
    return undefined;
  return shown.filter(isSessionFolder).map(({ name }) => name);
}

interface Listed {
  readonly names: readonly string[];
  /** So many of them, the first, were quiet. */
  readonly quiet: number;
  readonly mtimeMs: number;
}

/** The session folders that were not quiet, or were not there; nothing where a quiet one is missing. */
async function othersIn(
  fs: SessionFs,
  state: string,
  { names, quiet, mtimeMs }: Listed,
): Promise<readonly string[] | undefined> {
  const [around] = await statEach(fs, [state]);
  if (!isFound(around)) return undefined;
  if (around.mtimeMs === mtimeMs) return names.slice(quiet);
  // Where it cannot be listed, a look at everything tells what is wrong.
  const listed = await fs.readdir(state).then(namesOf, () => undefined);
  if (!listed) return undefined;
  const others = new Set(listed);
  for (const name of names.slice(0, quiet)) if (!others.delete(name)) return undefined;
  return [...others];
}

async function changedOf(
  fs: SessionFs,
  state: string,
  names: readonly string[],
  stamps: Float64Array,
): Promise<string[]> {
  const changed: string[] = [];
  const inside = insideOf(state);
  for (let from = 0; from < names.length; from += BATCH) {
    const batch = names.slice(from, from + BATCH);
    const stats = await statEach(
      fs,
      batch.map((name) => inside(name)),
    );
    for (const [at, name] of batch.entries()) {
      const folder = stats[at];
      if (!isFound(folder) || folder.mtimeMs !== stamps[BEFORE + from + at]) changed.push(name);
    }
  }
  return changed;
}
