/** Where Copilot CLI keeps its sessions, and the names of its files. */
import { endsWithSeparator, pathsOf, pathsSpelledAs } from "../../../model/values/paths.ts";
import type { Environment } from "../../source.ts";

export const SOURCE = "copilot-cli";

export const ROOT_VARIABLE = "COPILOT_HOME";

export function locate({ platform, homeDir, vars }: Environment): string[] {
  return [vars[ROOT_VARIABLE] || pathsOf(platform).join(homeDir, ".copilot")];
}

/** Joined as the root is spelled, so that a root of another system (or of a provider) stays one of its own. */
export const under = (folder: string, ...names: string[]): string =>
  pathsSpelledAs(folder).join(folder, ...names);

/** As `under`, prepared for thousands of names that need no tidying. */
export function insideOf(folder: string): (name: string, file?: string) => string {
  const { sep } = pathsSpelledAs(folder);
  const start = folder + sep;
  return (name, file) => (file === undefined ? start + name : start + name + sep + file);
}

export const stateFolder = (root: string): string => under(root, "session-state");
export const LOG = "events.jsonl";
export const PLAN = "plan.md";

/** What the program leaves of a log before it repairs it by itself, followed by a hash. */
export const isRecoveryCopy = (name: string): boolean => name.startsWith(`${LOG}.backup-before-recovery-`);

/** The folder of a session, or nothing for the flat files of early versions, which have no sidecars. */
export function folderOf(logPath: string): string | undefined {
  const cut = logPath.length - LOG.length;
  return logPath.endsWith(LOG) && endsWithSeparator(logPath.slice(0, cut))
    ? logPath.slice(0, cut - 1)
    : undefined;
}

/** The arguments that continue a session. A folder's name may start with a dash, like an option. */
export const resumeWords = (id: string): string[] =>
  id.startsWith("-") ? ["copilot", `--resume=${id}`] : ["copilot", "--resume", id];

/** The process a lock file names, if the name is one of a lock. */
export function pidOfLock(name: string): number | undefined {
  const digits = /^inuse\.(\d+)\.lock$/.exec(name)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
