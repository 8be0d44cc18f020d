/** A process of our own program that is sent messages, and sends some: for work that would keep this one busy or large. */
import { spawn } from "node:child_process";

export interface HelperOptions {
  readonly vars: Readonly<Record<string, string | undefined>>;
  /** A message from it. */
  message(message: unknown): void;
}

export interface Helper {
  /** Anything that can be cloned: dates and the like arrive as they were. Lost where the process has ended. */
  send(message: unknown): void;
  /** With what ended it, for messages: an exit code or a signal, or why it could not be started. */
  readonly ended: Promise<string>;
  /** Says that no more messages come; it ends once it has done what it must. */
  letGo(): void;
  kill(): void;
}

export function startHelper(
  [program = "", ...args]: readonly string[],
  { vars, message }: HelperOptions,
): Helper {
  // In the folder of this process, which may be gone by now: to name it would be an error then.
  const child = spawn(program, args, {
    env: { ...vars },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    serialization: "advanced",
    windowsHide: true,
  });
  const ended = new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("exit", (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
  child.on("message", message);
  return {
    send(sent) {
      // It may end while this is on its way; `ended` says so.
      if (child.connected) child.send(sent as object, () => undefined);
    },
    ended,
    letGo() {
      if (child.connected) child.disconnect();
    },
    kill: () => void child.kill("SIGKILL"),
  };
}

export interface Master {
  send(message: unknown): void;
}

/** In such a process: `left` is called when the one that started it has ended, or needs nothing more. */
export function hearMaster(
  message: (message: unknown, master: Master) => void,
  left: () => Promise<void>,
): void {
  const master: Master = {
    send: (sent) => void (process.connected && process.send?.(sent, undefined, undefined, () => undefined)),
  };
  // A Ctrl-C is meant for all processes of a terminal, but when to end is for the other one to say.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);
  process.on("message", (received) => message(received, master));
  process.once("disconnect", () => void left().finally(() => process.exit()));
}
