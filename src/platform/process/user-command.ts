/** Runs a command that the user chose, in their environment, with limits on time and output. */
import { spawn } from "node:child_process";
import { rmSync, symlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { makeTemporaryFolder } from "../disk/temporary.ts";
import type { ChildEnd } from "./child.ts";

export interface UserCommand {
  /** A line for the shell, or a program with its words. */
  readonly command: string | readonly string[];
  readonly vars: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
  readonly timeoutMs: number;
  /** The most bytes that it may answer with. */
  readonly limit: number;
}

export interface CommandEnd extends Omit<ChildEnd, "how"> {
  /** `flooded`: it answered with more than it may, and was stopped. */
  readonly how: ChildEnd["how"] | "flooded";
}

export function runUserCommand(of: UserCommand, input: string): Promise<CommandEnd> {
  const { command, folder, vars, timeoutMs, limit } = of;
  const [program, args] = typeof command === "string" ? [command, []] : [command[0] ?? "", command.slice(1)];
  const isWindows = process.platform === "win32";
  const child = spawn(program, args, {
    cwd: folder,
    env: vars,
    shell: typeof command === "string",
    // In a group of its own, so that whatever the shell started ends with it.
    detached: !isWindows,
    stdio: ["pipe", "pipe", "pipe"],
    windowsHide: true,
  });
  return new Promise((resolve) => {
    const said: Record<"stdout" | "stderr", Buffer[]> = { stdout: [], stderr: [] };
    let size = 0;
    let isOver = false;
    const kill = (): void => {
      if (isWindows || child.pid === undefined) child.kill("SIGKILL");
      else
        try {
          process.kill(-child.pid, "SIGKILL");
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error; // it has ended meanwhile
        }
    };
    // Ctrl-C reaches only our own process group, so it is passed on.
    const interrupt = (signal: NodeJS.Signals): void => {
      kill();
      process.removeListener(signal, interrupt);
      process.kill(process.pid, signal);
    };
    const end = (how: CommandEnd["how"], detail: string, clean = false): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      for (const signal of SIGNALS) process.removeListener(signal, interrupt);
      const text = (of: "stdout" | "stderr"): string => Buffer.concat(said[of]).toString();
      resolve({ how, detail, clean, stdout: text("stdout"), stderr: text("stderr") });
    };
    const stop = (how: "stopped" | "flooded"): void => {
      kill();
      end(how, how);
    };
    const timer = setTimeout(() => stop("stopped"), timeoutMs);
    for (const signal of SIGNALS) process.on(signal, interrupt);
    for (const name of ["stdout", "stderr"] as const)
      child[name].on("data", (chunk: Buffer) => {
        size += chunk.length;
        if (size > limit) stop("flooded");
        else said[name].push(chunk);
      });
    // One that does not read what it is told breaks the pipe; how it ends says all there is to say.
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
    child.on("error", (error) => end("failed", error.message));
    child.on("close", (code, signal) => end("exited", signal ?? `exit code ${code}`, code === 0));
  });
}

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** An empty folder of our own for a while, in which some files of others appear under their names. */
export async function withScratch<T>(
  links: readonly string[],
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = makeTemporaryFolder();
  try {
    for (const path of links) symlinkSync(path, join(folder, basename(path)));
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
