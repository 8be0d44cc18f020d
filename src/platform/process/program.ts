/** Runs a program, reads its output line by line, and can stop it with everything it started. */
import { type ChildProcess, type ChildProcessByStdio, spawn, spawnSync } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { isErrno } from "../fs/session-fs.ts";
import { isAlive, startTicks } from "./processes.ts";

export interface ProgramOptions {
  readonly folder: string;
  /** For its standard input. */
  readonly input?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** If it prints nothing for this long while it is being read, it counts as hung and is stopped. */
  readonly silenceMs: number;
}

export interface ProgramEnd {
  /** `missing`: there is no such program; `refused`: the system does not start it. */
  readonly how: "exited" | "stopped" | "hung" | "missing" | "refused";
  readonly code: number | null;
  /** For messages: exit code, signal, or why it could not be started. */
  readonly detail: string;
  /** The end of what it wrote to its standard error. */
  readonly stderr: string;
}

/** Enough to know a process again after we were restarted, when its number may belong to another. */
export interface ProcessMark {
  readonly pid: number;
  readonly started?: string;
}

export interface RunningProgram {
  readonly mark: ProcessMark | undefined;
  /** Its standard output, with backpressure. */
  lines(): AsyncIterable<string>;
  readonly ended: Promise<ProgramEnd>;
  /** Asks it to end, with all that it started, and makes it end soon after. */
  stop(): void;
}

const KEPT_STDERR = 16 << 10;
/** So long a program that was asked to end may put its things in order. */
const GRACE_MS = 2000;
/** So long a killed program may take to be gone, on a machine that has much else to do. */
const DEATH_MS = 10_000;
const LOOK_MS = 20;

export function startProgram(
  program: string,
  args: readonly string[],
  { folder, env, input, silenceMs }: ProgramOptions,
): RunningProgram {
  const child = trySpawn(program, args, { folder, env, hasInput: input !== undefined });
  if (child instanceof Error) return refused(child);
  let how: ProgramEnd["how"] = "exited";
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr = (stderr + text).slice(-KEPT_STDERR);
  });
  // It may end without having read all of it.
  child.stdin?.on("error", () => undefined).end(input);

  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const end = (reason: "stopped" | "hung"): void => {
    if (how !== "exited" || hasEnded()) return;
    how = reason;
    signalTree(child, "SIGTERM");
    setTimeout(() => signalTree(child, "SIGKILL"), GRACE_MS).unref();
  };
  const letGo = (): void => {
    child.stdout.destroy();
    child.stderr.destroy();
  };
  const idleTimer = createIdleTimer(silenceMs, () => (hasEnded() ? letGo() : end("hung")));
  // What it started and left running may hold its output open for ever.
  child.on("exit", () => idleTimer.shorten(GRACE_MS));

  const ended = new Promise<ProgramEnd>((resolve) => {
    const over = (code: number | null, detail: string): void => {
      idleTimer.over();
      resolve({ how, code, detail, stderr });
    };
    child.on("error", (error: NodeJS.ErrnoException) => {
      how = error.code === "ENOENT" ? "missing" : "refused";
      over(null, error.message);
    });
    child.on("close", (code, signal) => over(code, signal ?? `exit code ${code}`));
  });
  const started = child.pid === undefined ? undefined : startTicks(child.pid);
  return {
    mark: child.pid === undefined ? undefined : { pid: child.pid, ...(started !== undefined && { started }) },
    lines: () => toLines(hear(child.stdout, idleTimer)),
    ended,
    stop: () => end("stopped"),
  };
}

function trySpawn(
  program: string,
  args: readonly string[],
  { folder, env, hasInput }: Pick<ProgramOptions, "folder" | "env"> & { readonly hasInput: boolean },
): ChildProcessByStdio<Writable | null, Readable, Readable> | Error {
  const settings = {
    cwd: folder,
    env: { ...env },
    // A group of its own: what it starts (shells, servers) is reached with it, and a Ctrl-C meant for us does not reach it.
    detached: process.platform !== "win32",
    windowsHide: true,
  };
  try {
    return hasInput
      ? spawn(program, args, { ...settings, stdio: ["pipe", "pipe", "pipe"] })
      : spawn(program, args, { ...settings, stdio: ["ignore", "pipe", "pipe"] });
  } catch (error) {
    // Words that no program can be given.
    if (error instanceof Error && "code" in error) return error;
    throw error;
  }
}

const refused = ({ message }: Error): RunningProgram => ({
  mark: undefined,
  async *lines() {
    // it was never started
  },
  ended: Promise.resolve({ how: "refused", code: null, detail: message, stderr: "" }),
  stop: () => undefined,
});

/** What comes; the clock runs only while it is waited for, as a slow reader is not the program's fault. */
async function* hear(stdout: Readable, idleTimer: IdleTimer): AsyncGenerator<string> {
  idleTimer.begin();
  try {
    for await (const text of stdout.setEncoding("utf8")) {
      idleTimer.end();
      yield text;
      idleTimer.begin();
    }
  } catch (error) {
    if (!isErrno(error, "ERR_STREAM_PREMATURE_CLOSE")) throw error; // we have let go of it ourselves
  }
}

function signalTree({ pid }: Pick<ChildProcess, "pid">, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  if (process.platform === "win32") {
    spawnSync("taskkill", ["/pid", String(pid), "/t", "/f"], { windowsHide: true });
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error; // all of it has ended
  }
}

/** Ends a program that a process of ours left running when it died. False when it is no longer there, or is another by now. */
export async function stopLeftBehind({ pid, started }: ProcessMark): Promise<boolean> {
  // Where the system does not tell when a process began, its number proves nothing.
  if (started === undefined || startTicks(pid) !== started) return false;
  signalTree({ pid }, "SIGKILL");
  for (let waited = 0; isAlive(pid) && waited < DEATH_MS; waited += LOOK_MS)
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  return true;
}

/** Longer than any record that a program prints. */
const LONGEST = 16 << 20;

export async function* toLines(pieces: AsyncIterable<string>, longest = LONGEST): AsyncGenerator<string> {
  // Joined once, at the end of the line: a line of many pieces must not be copied for each of them.
  let line: string[] = [];
  let size = 0;
  const add = (text: string): void => {
    const kept = text.slice(0, Math.max(0, longest - size));
    if (kept !== "") line.push(kept);
    size += kept.length;
  };
  for await (const piece of pieces) {
    const [first = "", ...others] = piece.split("\n");
    add(first);
    for (const next of others) {
      yield line.join("");
      line = [];
      size = 0;
      add(next);
    }
  }
  if (size > 0) yield line.join("");
}

interface IdleTimer {
  begin(): void;
  end(): void;
  /** From now on less is borne. */
  shorten(limitMs: number): void;
  /** Nothing more is expected. */
  over(): void;
}

function createIdleTimer(firstLimitMs: number, tooLong: () => void): IdleTimer {
  let limitMs = firstLimitMs;
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const end = (): void => {
    clearTimeout(timer);
    timer = undefined;
  };
  const begin = (): void => {
    end();
    if (!isOver) timer = setTimeout(tooLong, limitMs);
  };
  return {
    begin,
    end,
    shorten(to) {
      limitMs = to;
      if (timer) begin();
    },
    over() {
      isOver = true;
      end();
    },
  };
}
