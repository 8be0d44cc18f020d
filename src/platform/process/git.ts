/**
 * Runs git to read a repository, and only that. A repository's settings may name programs that git starts by itself
 * (pagers, hooks, signature checks, file watchers, fetches of missing objects); none of them runs here.
 */
import { devNull } from "node:os";
import { delimiter, dirname, isAbsolute } from "node:path";
import { findProgram } from "./find-program.ts";
import { runUserCommand } from "./user-command.ts";

type Vars = Readonly<Record<string, string | undefined>>;

export interface Git {
  /** What it prints; nothing where it fails, takes too long or says too much. */
  read(folder: string, args: readonly string[], settings: "user" | "none"): Promise<string | undefined>;
}

/** Who waits for a report does not wait for a network disk. */
const TIMEOUT_MS = 3000;
const LIMIT = 4 << 20;

/** What could start a program or reach the network, set to something harmless; the command line counts more than any file. */
const HARMLESS = [
  "core.fsmonitor=false",
  `core.hooksPath=${devNull}`,
  "core.pager=cat",
  "core.sshCommand=false",
  "core.askPass=",
  "credential.helper=",
  "log.showSignature=false",
  "gpg.program=false",
  "diff.external=",
  "protocol.allow=never",
].flatMap((setting) => ["-c", setting]);

/** What git needs of our environment: who commits, and where the user's settings are. No `GIT_DIR` that we happen to have. */
const PASSED_ON = [
  "HOME",
  "USERPROFILE",
  "XDG_CONFIG_HOME",
  "SystemRoot",
  "EMAIL",
  "GIT_AUTHOR_EMAIL",
  "GIT_AUTHOR_NAME",
];

/** Nothing where git is not on the path. Relative places on it are left out: they would lead into somebody's folder. */
export function findGit(vars: Vars, timeoutMs = TIMEOUT_MS): Git | undefined {
  const path = (vars.PATH ?? "").split(delimiter).filter(isAbsolute).join(delimiter);
  const program = findProgram("git", devNull, { PATH: path })?.path;
  if (program === undefined) return undefined;
  const own = Object.fromEntries(PASSED_ON.flatMap((name) => (vars[name] ? [[name, vars[name]]] : [])));
  const base = {
    ...own,
    PATH: path,
    LC_ALL: "C",
    GIT_NO_LAZY_FETCH: "1",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    GIT_PAGER: "cat",
  };
  /** With no settings but the repository's own, which `HARMLESS` overrules. */
  const bare = { ...base, GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: devNull };
  return {
    async read(folder, args, settings) {
      const command = [program, "--no-pager", ...HARMLESS, "-C", folder, ...args];
      const { how, clean, stdout } = await runUserCommand(
        {
          command,
          vars: settings === "user" ? base : bare,
          folder: dirname(program),
          timeoutMs,
          limit: LIMIT,
        },
        "",
      );
      return how === "exited" && clean ? stdout : undefined;
    },
  };
}
