/** The sources that are tried here, each in a home of its own; little to load, as hundreds of processes do. */
import { join } from "node:path";
import { localFs } from "../../src/platform/fs/local.ts";
import { type Catalog, openCatalog } from "../../src/sources/catalog.ts";
import claudeCode from "../../src/sources/claude-code/index.ts";
import codex from "../../src/sources/codex/index.ts";
import copilotCli from "../../src/sources/copilot-cli/index.ts";
import type { Source } from "../../src/sources/source.ts";
import vscode from "../../src/sources/vscode/index.ts";

export const NOW = new Date("2026-11-15T12:00:00.000Z");

const openOne = (source: Source, home: string): Catalog => {
  const vars = {
    ...{ COPILOT_HOME: home, CLAUDE_CONFIG_DIR: home },
    VSCODE_STORAGE_PATH: join(home, "workspaceStorage"),
  };
  const homeDir = join(home, "..", "nowhere");
  return openCatalog([source], { platform: process.platform, homeDir, vars }, localFs);
};

export const openCopilot = (home: string): Catalog => openOne(copilotCli, home);

/** By its `User` folder. */
export const openVsCode = (user: string): Catalog => openOne(vscode, user);

export const openClaude = (root: string): Catalog => openOne(claudeCode, root);

/** The home of each program in a folder for all of them. */
export const homesIn = (folder: string) => ({
  "copilot-cli": join(folder, "copilot"),
  vscode: join(folder, "vscode", "User"),
  "claude-code": join(folder, "claude"),
  codex: join(folder, "codex"),
});

/** All programs, by the folder that their homes are in. */
export function openPrograms(folder: string): Catalog {
  const homes = homesIn(folder);
  const vars = {
    COPILOT_HOME: homes["copilot-cli"],
    CLAUDE_CONFIG_DIR: homes["claude-code"],
    CODEX_HOME: homes.codex,
    VSCODE_STORAGE_PATH: join(homes.vscode, "workspaceStorage"),
  };
  const homeDir = join(folder, "..", "nowhere");
  return openCatalog(
    [copilotCli, vscode, claudeCode, codex],
    { platform: process.platform, homeDir, vars },
    localFs,
  );
}

const OPENERS: Readonly<Record<string, (home: string) => Catalog>> = {
  ...{ vscode: openVsCode, "claude-code": openClaude, all: openPrograms },
};

export const openHome = (source: string, home: string): Catalog => (OPENERS[source] ?? openCopilot)(home);
