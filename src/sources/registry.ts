/** The list of sources; a new one is a folder and one line here. */
import claudeCode from "./claude-code/index.ts";
import codex from "./codex/index.ts";
import copilotCli from "./copilot-cli/index.ts";
import type { Source } from "./source.ts";
import vscode from "./vscode/index.ts";

export const SOURCES: readonly Source[] = [copilotCli, vscode, claudeCode, codex];
