/** A temporary home with a few Copilot CLI sessions, and the command run as a person would run it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { builtCommand } from "../built.ts";
import { type Ran, runAlone, runCommand } from "./run-command.ts";

/** Only for tests of what is loaded; all others run the command as it is published. */
export const SOURCES = join(import.meta.dirname, "../../src/cli/main.ts");

export interface Home {
  readonly path: string;
  readonly env: NodeJS.ProcessEnv;
  /** Rethread's own data folder. */
  readonly dataHome: string;
  /** Runs the command; the same words give the answer of the first run, as commands that read change nothing. */
  rethread(...words: string[]): Ran;
  /** Runs the command anew, whatever it said before. */
  again(...words: string[]): Ran;
  /** The same in a shell, where "rethread" stands for the command. */
  shell(line: string, vars?: Record<string, string>): Ran;
  with(vars: Record<string, string>): Home;
  session(id: string, lines: readonly (object | string)[], workspace?: Record<string, string>): void;
  remove(): void;
}

export function createHome(main = builtCommand()): Home {
  const path = mkdtempSync(join(tmpdir(), "rethread-cli-"));
  return homeAt({ path, main }, {}, new Map());
}

function homeAt(
  at: { path: string; main: string },
  vars: Record<string, string>,
  answers: Map<string, Ran>,
): Home {
  const { path, main } = at;
  // Only what is named here: the test must not see the sessions, colors or width of whoever runs it.
  const env = {
    PATH: process.env.PATH,
    TMPDIR: tmpdir(),
    HOME: path,
    RETHREAD_HOME: join(path, "rethread"),
    TZ: "UTC",
    ...vars,
  };
  const again = (...words: string[]): Ran => runCommand(main, words, { env, cwd: path });
  return {
    path,
    env,
    dataHome: env.RETHREAD_HOME,
    again,
    rethread(...words) {
      const key = JSON.stringify([vars, words]);
      const answer = answers.get(key) ?? again(...words);
      answers.set(key, answer);
      return answer;
    },
    shell: (line, more) =>
      runAlone(
        "bash",
        ["-c", `set -o pipefail; rethread() { '${process.execPath}' '${main}' "$@"; }; ${line}`],
        { env: { ...env, ...more }, cwd: path },
      ),
    with: (more) => homeAt(at, { ...vars, ...more }, answers),
    session(id, lines, workspace) {
      const folder = join(path, ".copilot/session-state", id);
      mkdirSync(folder, { recursive: true });
      const text = lines
        .map((line) => (typeof line === "string" ? line : `${JSON.stringify(line)}\n`))
        .join("");
      writeFileSync(join(folder, "events.jsonl"), text);
      if (workspace)
        writeFileSync(
          join(folder, "workspace.yaml"),
          Object.entries({ id, ...workspace })
            .map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`)
            .join(""),
        );
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}

let count = 0;

/** One line of a Copilot CLI log, `minutes` after the session began. */
export function line(type: string, data: object, began: Date, minutes: number): object {
  const number = String(++count).padStart(12, "0");
  return {
    type,
    data,
    id: `00000000-0000-4000-8000-${number}`,
    timestamp: new Date(began.getTime() + minutes * 60_000).toISOString(),
    parentId: null,
  };
}

export const start = (id: string, began: Date): object =>
  line(
    "session.start",
    {
      sessionId: id,
      version: 1,
      producer: "copilot-agent",
      copilotVersion: "1.0.102",
      startTime: began.toISOString(),
    },
    began,
    0,
  );

/** The lines of a command that ended as it should and printed something; anything holds for every line of nothing. */
export function linesOf({ code, stdout, stderr }: Ran, expected = 0): string[] {
  const isEmpty = stdout.trim() === "";
  expect({ code, stderr, isEmpty }).toEqual({ code: expected, stderr: "", isEmpty: false });
  return stdout.trimEnd().split("\n");
}
