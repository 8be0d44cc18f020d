/** The command in a terminal that `script` makes: keys in, a screen out. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { dirname } from "node:path";
import { expect } from "vitest";
import { toShell } from "../../src/model/text/shell-words.ts";
import { builtCommand } from "../built.ts";
import { seenOn } from "../terminal.ts";
import type { Home } from "./home.ts";

/** Other systems have another `script`, or none. */
export const hasScript = process.platform === "linux" && spawnSync("script", ["--version"]).status === 0;

const PATIENCE_MS = 40_000;

export interface Terminal {
  /** Types when the screen shows something new. */
  type(keys: string, after: string): Promise<void>;
  /** The rows, once the program has ended, and what it ended with. */
  end(): Promise<{ readonly rows: string[]; readonly code: number | null }>;
}

export function openTerminal(
  home: Home,
  words: readonly string[],
  vars: Readonly<Record<string, string>> = {},
): Terminal {
  const command = toShell([process.execPath, builtCommand(), ...words]);
  const child: ChildProcess = spawn("script", ["-qec", command, "/dev/null"], {
    cwd: home.path,
    env: {
      ...home.env,
      PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
      COLUMNS: "80",
      TERM: "xterm",
      SHELL: "/bin/sh",
      ...vars,
    },
  });
  let written = "";
  let seen = 0;
  child.stdout?.on("data", (piece) => {
    written += piece;
  });
  return {
    async type(keys, after) {
      await expect.poll(() => written.slice(seen), { timeout: PATIENCE_MS }).toContain(after);
      seen = written.length;
      child.stdin?.write(keys);
    },
    async end() {
      const [code] = child.exitCode === null ? await once(child, "close") : [child.exitCode];
      return { rows: seenOn(80, written), code };
    },
  };
}
