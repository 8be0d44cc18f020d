/** Which processes are taken for an agent's program, and which sessions their command lines name. */
import { expect, it } from "vitest";
import type { ProcessFacts } from "../../platform/process/ps.ts";
import { signs as claude, isClaude } from "../claude-code/program.ts";
import { signs as copilot, isCopilot } from "../copilot-cli/workspace/program.ts";
import { isEditor } from "./editors.ts";

const running = (program: string | undefined, ...words: string[]): ProcessFacts => ({
  pid: 1,
  words,
  ...(program !== undefined && { program }),
});

it.each([
  running("/home/u/.local/bin/copilot", "copilot", "--resume"),
  running("/usr/bin/node", "node", "/usr/lib/node_modules/@github/copilot/npm-loader.js", "-p", "hi"),
  running("/usr/bin/node", "node", "--no-warnings", "/usr/local/bin/copilot"),
  running(undefined, "C:\\Tools\\copilot.exe"),
  running("/usr/bin/node", "copilot"),
])("knows Copilot CLI: %o", (facts) => expect(isCopilot(facts)).toBe(true));

it.each([
  running("/usr/bin/vim", "vim", "/home/u/.copilot/session-state/1/events.jsonl"),
  running("/usr/bin/grep", "grep", "-r", "copilot"),
  running("/usr/bin/node", "node", "/usr/bin/rethread", "chat"),
  running("/usr/bin/bash", "bash", "-c", "copilot --resume 1"),
])("does not take others for it: %o", (facts) => expect(isCopilot(facts)).toBe(false));

it.each([
  running("/home/u/.local/share/claude/versions/2.1.325", "claude"),
  running("/usr/bin/node", "node", "/usr/lib/node_modules/@anthropic-ai/claude-code/cli.js"),
])("knows Claude Code: %o", (facts) => expect(isClaude(facts)).toBe(true));

it.each([
  running("/usr/share/code/code", "/usr/share/code/code", "--type=utility"),
  running("/usr/share/code-insiders/code-insiders", "code-insiders"),
  running("/usr/share/codium/codium", "codium"),
  running("/opt/cursor/cursor", "cursor"),
  running("/usr/lib/electron32/electron", "/usr/lib/electron32/electron", "/usr/lib/code/out/main.js"),
  running("/usr/lib/code-server/lib/node", "/usr/lib/code-server/lib/node", "/usr/lib/code-server"),
  running("/home/u/.vscode-server/bin/1/node", "node", "out/server-main.js"),
  running(undefined, "/Applications/Visual", "Studio", "Code.app/Contents/MacOS/Electron"),
  running("C:\\Users\\u\\AppData\\Local\\Programs\\Microsoft VS Code\\Code.exe", "Code.exe"),
])("knows VS Code and its relatives: %o", (facts) => expect(isEditor(facts)).toBe(true));

it.each([
  running("/usr/bin/bash", "bash"),
  running("/sbin/init", "/sbin/init"),
  running("/usr/bin/node", "node", "/srv/app/server.js"),
  running("/usr/bin/xcode-select", "xcode-select"),
])("does not take others for it: %o", (facts) => expect(isEditor(facts)).toBe(false));

it("reads sessions from command lines", () => {
  expect(copilot.sessionsIn(["copilot", "--resume", "a", "-p", "--session-id=b", "-r", "c d"])).toEqual([
    "a",
    "b",
    "c d",
  ]);
  expect(copilot.sessionsIn(["copilot", "--continue", "--resume", "--model", "x"])).toEqual([]);
  expect(claude.sessionsIn(["claude", "-r", "a"])).toEqual(["a"]);
  // It only reads the session that it forks.
  expect(claude.sessionsIn(["claude", "--resume", "a", "--fork-session"])).toEqual([]);
});
