/** Runs a child process that gets one text, returns one text, and can be stopped at any time. */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";

export interface ChildEnd {
  /** `stopped`: it did not answer in time and was killed; `failed`: it could not even be started. */
  readonly how: "exited" | "stopped" | "failed";
  /** Exit code or signal, or why it could not be started; for messages. */
  readonly detail: string;
  readonly clean: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a command to its end. The text goes through stdin, because arguments are visible to every user of the machine
 * and have a length limit. The child gets no environment: nothing in ours is meant for it.
 */
export function runChild(
  command: readonly string[],
  input: string,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<ChildEnd> {
  const [program = "", ...args] = command;
  const child = spawn(program, args, { env: {}, stdio: ["pipe", "pipe", "pipe"], windowsHide: true });
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
  // A child that dies before it has read its input breaks the pipe; how it ended says all there is to say.
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);

  return new Promise((resolve) => {
    let how: ChildEnd["how"] = "exited";
    const stop = (): void => {
      how = "stopped";
      child.kill("SIGKILL");
    };
    const timer = setTimeout(stop, timeoutMs);
    if (signal?.aborted) stop();
    signal?.addEventListener("abort", stop, { once: true });
    const end = (detail: string, clean: boolean): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
      resolve({
        how,
        detail,
        clean,
        stdout: Buffer.concat(stdout).toString(),
        stderr: Buffer.concat(stderr).toString(),
      });
    };
    child.on("error", (error) => {
      how = "failed";
      end(error.message, false);
    });
    child.on("close", (code, signal) => end(signal ?? `exit code ${code}`, code === 0));
  });
}

/** In the child: the text it was given. */
export function receive(): string {
  return readFileSync(0, "utf8");
}

/** In the child: its answer. The process must then end by itself, not by `process.exit`, which cuts off what is under way. */
export function reply(text: string): void {
  process.stdout.write(text);
}
