/**
 * Asks git about a repository that may be anybody's, and only that. A repository's settings may name programs that git
 * starts by itself (pagers, hooks, signature checks, file watchers, fetches of missing objects); none of them runs here,
 * nothing is written, and git is stopped when it takes too long.
 */
import { spawn } from "node:child_process";
import { devNull } from "node:os";
import { delimiter, isAbsolute } from "node:path";
import { memberOf } from "../../model/values/member.ts";
import { findProgram } from "./find-program.ts";

type Vars = Readonly<Record<string, string | undefined>>;

export interface GitOptions {
  readonly folder: string;
  readonly vars: Vars;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** `user`: with the user's own settings, to know who commits. Else only the repository's count, as far as they are harmless. */
  readonly settings?: "user" | "none";
}

export type GitAnswer =
  | { readonly how: "answered"; readonly text: string }
  /** `missing`: there is no git; `failed`: it has nothing to say here; `stopped`: it took too long, or said too much. */
  | { readonly how: "missing" | "failed" | "stopped" };

export interface Git {
  /** What it prints; nothing where it fails, takes too long or says too much. */
  read(folder: string, args: readonly string[], settings: "user" | "none"): Promise<string | undefined>;
}

/** Who waits for a report does not wait for a network disk. */
const TIMEOUT_MS = 3000;
/** Longer than what it says of any file that is read. */
const MOST_BYTES = 256 << 20;

/** What could start a program or reach the network, set to something harmless; the command line counts more than any file. */
const HARMLESS = [
  "core.fsmonitor=false",
  `core.hooksPath=${devNull}`,
  "core.pager=cat",
  "core.quotePath=false",
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
  "TMPDIR",
  "TEMP",
  "EMAIL",
  "GIT_AUTHOR_EMAIL",
  "GIT_AUTHOR_NAME",
];

/** Nothing where git is not on the path. */
export function findGit(vars: Vars, timeoutMs = TIMEOUT_MS): Git | undefined {
  if (programOn(vars) === undefined) return undefined;
  return {
    async read(folder, args, settings) {
      const answer = await askGit(args, { folder, vars, timeoutMs, settings });
      return answer.how === "answered" ? answer.text : undefined;
    },
  };
}

export function askGit(args: readonly string[], options: GitOptions): Promise<GitAnswer> {
  const { folder, vars, timeoutMs, signal, settings = "none" } = options;
  const program = programOn(vars);
  if (program === undefined) return Promise.resolve({ how: "missing" });
  const words = ["--no-pager", "--no-optional-locks", "--literal-pathspecs", ...HARMLESS, "-C", folder];
  return new Promise((resolve) => {
    const child = spawn(program, [...words, ...args], {
      env: { ...envOf(vars), ...(settings === "none" && WITHOUT_USER) },
      stdio: ["ignore", "pipe", "ignore"],
      windowsHide: true,
    });
    const pieces: Buffer[] = [];
    let size = 0;
    let isStopped = false;
    const stop = (): void => {
      isStopped = true;
      child.kill("SIGKILL");
    };
    const timer = setTimeout(stop, timeoutMs);
    signal?.addEventListener("abort", stop, { once: true });
    if (signal?.aborted) stop();
    child.stdout.on("data", (piece: Buffer) => {
      pieces.push(piece);
      size += piece.length;
      if (size > MOST_BYTES) stop();
    });
    const end = (answer: GitAnswer): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
      resolve(isStopped ? { how: "stopped" } : answer);
    };
    child.on("error", () => end({ how: "failed" }));
    child.on("close", (code) =>
      end(code === 0 ? { how: "answered", text: Buffer.concat(pieces).toString("utf8") } : { how: "failed" }),
    );
  });
}

/** Relative places on the path are left out: they would lead into somebody's folder. */
const pathOf = (vars: Vars): string => (vars.PATH ?? "").split(delimiter).filter(isAbsolute).join(delimiter);

const programOn = (vars: Vars): string | undefined =>
  findProgram("git", devNull, { PATH: pathOf(vars) })?.path;

const envOf = (vars: Vars): Record<string, string> => ({
  ...Object.fromEntries(
    PASSED_ON.flatMap((name) => {
      const value = memberOf(vars, name);
      return value ? [[name, value]] : [];
    }),
  ),
  PATH: pathOf(vars),
  LC_ALL: "C",
  GIT_NO_LAZY_FETCH: "1",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
  GIT_PAGER: "cat",
});

const WITHOUT_USER = { GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: devNull };
