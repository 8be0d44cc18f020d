/** The sources that are tried here, each in a home of its own; little to load, as hundreds of processes do. */
import { join } from "node:path";
import { localFs } from "../../src/platform/fs/local.ts";
import { type Catalog, openCatalog } from "../../src/sources/catalog.ts";
import claudeCode from "../../src/sources/claude-code/index.ts";
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

export const openHome = (source: string, home: string): Catalog =>
  source === "vscode" ? openVsCode(home) : source === "claude-code" ? openClaude(home) : openCopilot(home);
