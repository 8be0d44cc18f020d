/** A program that runs while its output is read line by line, and that can be stopped with everything it started. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { isAlive, startTicks } from "./processes.ts";

export interface ProgramOptions {
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Without a line for so long it is taken for hung, and stopped. */
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
  /** Its standard output. Whoever reads slowly slows the program down. */
  lines(): AsyncIterable<string>;
  readonly ended: Promise<ProgramEnd>;
  /** Asks it to end, with all that it started, and makes it end soon after. */
  stop(): void;
}

const KEPT_STDERR = 16 << 10;
/** So long a program that was asked to end may put its things in order. */
const GRACE_MS = 2000;
const LOOK_MS = 20;

export function startProgram(
  program: string,
  args: readonly string[],
  { folder, env, silenceMs }: ProgramOptions,
): RunningProgram {
  // A group of its own: what it starts (shells, servers) is reached with it, and a Ctrl-C meant for us does not reach it.
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: process.platform !== "win32",
    windowsHide: true,
  });
  let how: ProgramEnd["how"] = "exited";
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr = (stderr + text).slice(-KEPT_STDERR);
  });

  const end = (reason: "stopped" | "hung"): void => {
    if (how !== "exited" || child.exitCode !== null || child.signalCode !== null) return;
    how = reason;
    signalTree(child, "SIGTERM");
    setTimeout(() => signalTree(child, "SIGKILL"), GRACE_MS).unref();
  };
  let watch = setTimeout(() => end("hung"), silenceMs);
  const heard = (): void => {
    clearTimeout(watch);
    watch = setTimeout(() => end("hung"), silenceMs);
  };
  child.stdout.on("data", heard);
  // Nobody reads yet; the listener above must not make it flow.
  child.stdout.pause();

  const ended = new Promise<ProgramEnd>((resolve) => {
    const over = (code: number | null, detail: string): void => {
      clearTimeout(watch);
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
    lines: () => linesOf(child),
    ended,
    stop: () => end("stopped"),
  };
}

async function* linesOf({ stdout }: ChildProcess): AsyncGenerator<string> {
  if (!stdout) return;
  stdout.setEncoding("utf8");
  let rest = "";
  for await (const text of stdout) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
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
  for (let waited = 0; isAlive(pid) && waited < GRACE_MS; waited += LOOK_MS)
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  return true;
}
