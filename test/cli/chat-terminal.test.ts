/** A conversation as a person holds it: keys in, a screen out, through a terminal that `script` makes. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { PROGRAM } from "../bridge/home.ts";
import { builtCommand } from "../built.ts";
import { seenOn } from "../terminal.ts";
import { createHome, type Home } from "./home.ts";

const MAIN = builtCommand();
/** Other systems have another `script`, or none. */
const hasScript = process.platform === "linux" && spawnSync("script", ["--version"]).status === 0;
const [CTRL_C, CTRL_D, ENTER] = ["\x03", "\x04", "\r"];
const PATIENCE_MS = 40_000;

let home: Home;
beforeEach(() => {
  home = createHome();
  mkdirSync(join(home.path, ".copilot"));
});
afterEach(() => home.remove());

interface Terminal {
  /** Types when the screen shows something new. */
  type(keys: string, after: string): Promise<void>;
  /** The rows, once the program has ended, and what it ended with. */
  end(): Promise<{ readonly rows: string[]; readonly code: number | null }>;
}

function open(...words: string[]): Terminal {
  const command = [process.execPath, MAIN, "chat", ...words, "--copilot", PROGRAM];
  const child: ChildProcess = spawn("script", ["-qec", command.join(" "), "/dev/null"], {
    cwd: home.path,
    env: {
      ...home.env,
      PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
      COPILOT_HOME: join(home.path, ".copilot"),
      COLUMNS: "80",
      TERM: "xterm",
      SHELL: "/bin/sh",
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

describe.runIf(hasScript)("a conversation at the terminal", () => {
  it("takes several lines, shows answers and tools, cancels with Ctrl-C, and says how to go on", async () => {
    const terminal = open();
    await terminal.type(`first \\${ENTER}`, "› ");
    await terminal.type(`second${ENTER}`, "  ");
    await terminal.type(`please wait${ENTER}`, "› ");
    await terminal.type(CTRL_C, "Heard ");
    await terminal.type(`thrown away${CTRL_C}`, "› ");
    await terminal.type(CTRL_D, "› ");
    const { rows, code } = await terminal.end();
    expect(code).toBe(0);
    const [head = "", place = "", help = "", ...rest] = rows;
    const [id = ""] = place.split(" ");
    expect([head, place]).toEqual(["A new conversation", `${id} · ${home.path}`]);
    expect(help).toContain("Ctrl-C cancels an answer, Ctrl-D quits.");
    expect(rest).toEqual([
      "",
      "› first \\",
      "  second",
      "Heard 1: first",
      "second",
      "· bash  ls",
      "",
      "› please wait",
      "Heard",
      "(cancelled)",
      "",
      "›",
      `Continue at any time: rethread chat ${id}`,
      "",
    ]);
  });

  it("takes what is typed ahead and what is pasted, goes on after a failure, and leaves with Ctrl-C", async () => {
    const terminal = open();
    await terminal.type(`\x1b[200~one${ENTER}two\x1b[201~${ENTER}please fail${ENTER}`, "› ");
    await terminal.type(CTRL_C, "(no answer)");
    const { rows, code } = await terminal.end();
    expect(code).toBe(0);
    expect(rows.slice(4, -2)).toEqual([
      "› one",
      "  two",
      "Heard 1: one",
      "two",
      "· bash  ls",
      "",
      "› please fail",
      "the model is away",
      "(no answer)",
      "",
      "›",
    ]);
  });
});
