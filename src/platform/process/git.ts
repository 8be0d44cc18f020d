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
  /** In its own words, on one line. */
  | { readonly how: "failed"; readonly reason: string }
  /** `missing`: there is no git; `stopped`: it took too long, or said too much. */
  | { readonly how: "missing" | "stopped" };

export interface Git {
  ask(folder: string, args: readonly string[], settings?: "user" | "none"): Promise<GitAnswer>;
}

/** Who waits for a report does not wait for a network disk. */
const TIMEOUT_MS = 3000;
/** Longer than what it says of any file that is read. */
const MOST_BYTES = 256 << 20;
const MOST_SAID = 64 << 10;
const LONGEST_REASON = 300;

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
    ask: (folder, args, settings = "none") => askGit(args, { folder, vars, timeoutMs, settings }),
  };
}

/** Why there is no answer, for people; nothing where there is one. */
export function troubleOf(answer: GitAnswer): string | undefined {
  if (answer.how === "missing") return "git was not found on PATH";
  if (answer.how === "stopped") return "git took too long";
  return answer.how === "failed" ? `git could not be asked (${answer.reason})` : undefined;
}

/** A repository that is in order, and has nothing on the branch that is checked out. */
export async function isUnborn(ask: (args: readonly string[]) => Promise<GitAnswer>): Promise<boolean> {
  for (const args of [
    ["symbolic-ref", "-q", "HEAD"],
    ["rev-list", "-n", "1", "--all"],
  ])
    if ((await ask(args)).how !== "answered") return false;
  return (await ask(["rev-parse", "-q", "--verify", "HEAD"])).how === "failed";
}

export async function askGit(args: readonly string[], options: GitOptions): Promise<GitAnswer> {
  const answer = await run(args, options);
  // Whose repositories may be read is said in the user's own settings, and only there.
  const isForeign = answer.how === "failed" && /dubious ownership/.test(answer.reason);
  return isForeign && options.settings !== "user" ? run(args, { ...options, settings: "user" }) : answer;
}

function run(args: readonly string[], options: GitOptions): Promise<GitAnswer> {
  const { folder, vars, timeoutMs, signal, settings = "none" } = options;
  const program = programOn(vars);
  if (program === undefined) return Promise.resolve({ how: "missing" });
  const words = ["--no-pager", "--no-optional-locks", "--literal-pathspecs", ...HARMLESS, "-C", folder];
  return new Promise((resolve) => {
    const child = spawn(program, [...words, ...args], {
      env: { ...envOf(vars), ...(settings === "none" && WITHOUT_USER) },
      stdio: ["ignore", "pipe", "pipe"],
      windowsHide: true,
    });
    const pieces: Buffer[] = [];
    let said = "";
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
    child.stderr.setEncoding("utf8").on("data", (piece: string) => {
      if (said.length < MOST_SAID) said += piece;
    });
    const end = (answer: GitAnswer): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
      resolve(isStopped ? { how: "stopped" } : answer);
    };
    child.on("error", ({ message }) => end({ how: "failed", reason: message }));
    child.on("close", (code) =>
      end(
        code === 0
          ? { how: "answered", text: Buffer.concat(pieces).toString("utf8") }
          : { how: "failed", reason: reasonIn(said) ?? `it ended with ${code}` },
      ),
    );
  });
}

/** What it gave up for; what else it says are hints. */
function reasonIn(said: string): string | undefined {
  const lines = said.split("\n").map((line) => line.replace(/[\p{Cc}\p{Cf}]+/gu, " ").trim());
  const line = lines.find((each) => each.startsWith("fatal: ")) ?? lines.find((each) => each !== "");
  return line?.replace(/^(?:fatal|error): /, "").slice(0, LONGEST_REASON);
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
