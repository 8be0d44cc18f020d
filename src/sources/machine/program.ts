/** Recognizes a vendor's processes, and finds sessions that they have open without a lock. */
import { realPathOf } from "../../platform/disk/folders.ts";
import type { SessionFs } from "../../platform/fs/session-fs.ts";
import { hasOpenIn, type ProcessLook } from "../../platform/process/process-look.ts";
import type { ProcessFacts } from "../../platform/process/ps.ts";
import { type Environment, type OnDisk, rootsOf, type Source } from "../source.ts";

export interface ProgramSigns {
  isProgram(facts: ProcessFacts): boolean;
  /** What its command line calls the session that it is started on. */
  sessionsIn(words: readonly string[]): readonly string[];
  /** The file in which a process notes what it does, among those it has open; and what that says of sessions it has now. */
  readonly notes?: {
    isNotes(pid: number, path: string): boolean;
    sessionsIn(text: string): readonly string[];
  };
  /** Whether the program would take that for this session. */
  isCalled(fs: SessionFs, session: OnDisk, name: string): Promise<boolean>;
}

/** What follows these options, as `--resume x` or `--resume=x`. */
export function valuesOf(words: readonly string[], options: readonly string[]): string[] {
  return words.flatMap((word, at) => {
    const [option = "", value] = /^(--[^=]+)=(.*)$/s.exec(word)?.slice(1) ?? [word, words[at + 1]];
    const isValue = value !== undefined && value !== "" && !value.startsWith("-");
    return isValue && options.includes(option) ? [value] : [];
  });
}

/** The processes of a source's program that were started on a session, or have one of its files open, by the sessions' paths. */
export async function findRunning(
  source: Source,
  env: Environment,
  place: { readonly fs: SessionFs; readonly root: string },
  sessions: readonly OnDisk[],
  look: ProcessLook,
): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  const signs = await source.processes?.signs?.();
  if (!signs) return found;
  for (const { pid, words } of look.all().filter(signs.isProgram)) {
    const names = isAtHome(source, env, place.root, look.variablesOf(pid))
      ? [...signs.sessionsIn(words), ...(await noted(signs, place.fs, pid, look))]
      : [];
    for (const session of sessions) {
      if (found.has(session.path)) continue;
      const folder = source.files?.folderOf?.(session) ?? session.path;
      if (hasOpenIn(look, pid, folder) || (await isNamed(signs, place.fs, session, names)))
        found.set(session.path, pid);
    }
  }
  return found;
}

/** Of longer notes the beginning and the end are read. */
const MOST_NOTES = 8 << 20;

async function noted(
  { notes }: ProgramSigns,
  fs: SessionFs,
  pid: number,
  look: ProcessLook,
): Promise<readonly string[]> {
  const path = notes && look.openPaths(pid)?.find((each) => notes.isNotes(pid, each));
  if (path === undefined) return [];
  try {
    const { size } = await fs.stat(path);
    const ranges =
      size <= MOST_NOTES
        ? [{ start: 0 }]
        : [
            { start: 0, end: MOST_NOTES / 2 },
            { start: size - MOST_NOTES / 2, end: size },
          ];
    const parts: string[] = [];
    for (const range of ranges) parts.push(Buffer.from(await fs.read(path, range)).toString("utf8"));
    return notes?.sessionsIn(parts.join("\n")) ?? [];
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    return []; // it was closed and taken away meanwhile
  }
}

async function isNamed(
  { isCalled }: ProgramSigns,
  fs: SessionFs,
  session: OnDisk,
  names: readonly string[],
): Promise<boolean> {
  for (const name of names) if (await isCalled(fs, session, name)) return true;
  return false;
}

/** Whether a process with these variables keeps its sessions below this root. Where they are hidden, it may. */
function isAtHome(
  source: Source,
  env: Environment,
  root: string,
  vars: Readonly<Record<string, string>> | undefined,
): boolean {
  if (!vars) return true;
  const roots = rootsOf(source, { ...env, homeDir: vars.HOME ?? env.homeDir, vars });
  return roots.some((each) => realPathOf(each) === realPathOf(root));
}
