/** Starts the user's pager on a text that is written piece by piece. */
import { spawn } from "node:child_process";

export interface Pager {
  write(text: string): void;
  /** Resolves when the person has left it. */
  end(): Promise<void>;
}

export interface PagerOptions {
  readonly vars: Readonly<Record<string, string | undefined>>;
  /** The person left it before the end: nobody reads the rest. */
  readonly onLeft: () => void;
}

/** As git does: colors are shown, a short text is not paged, and the text stays on the screen. */
const LESS = "FRX";

/** `command` is a shell's line, as $PAGER is. */
export function startPager(command: string, { vars, onLeft }: PagerOptions): Pager {
  const child = spawn(command, {
    shell: true,
    stdio: ["pipe", "inherit", "inherit"],
    env: { LESS, LV: "-c", ...vars },
  });
  // Ctrl-C is for the pager, which gets it as well.
  const ignore = (): void => undefined;
  process.on("SIGINT", ignore);
  let isEnding = false;
  const closed = new Promise<void>((resolve) => {
    const end = (): void => {
      process.off("SIGINT", ignore);
      resolve();
      if (!isEnding) onLeft();
    };
    child.on("close", end);
    child.on("error", end);
  });
  // Whoever leaves early closes the pipe, which is no failure.
  child.stdin.on("error", ignore);
  // Otherwise all that nobody has read yet would wait in memory.
  (child.stdin as { _handle?: { setBlocking?(isBlocking: boolean): void } })._handle?.setBlocking?.(true);
  return {
    write(text) {
      child.stdin.write(text);
      // Whoever writes may not wait for anything until all is written; so this does not wait for an event.
      if (child.stdin.errored && !isEnding) onLeft();
    },
    end() {
      isEnding = true;
      child.stdin.end();
      return closed;
    },
  };
}
