/** The one source that is tried here, in a home of its own; little to load, as hundreds of processes do. */
import { join } from "node:path";
import { localFs } from "../../src/platform/local-fs.ts";
import { type Catalog, openCatalog } from "../../src/sources/catalog.ts";
import copilotCli from "../../src/sources/copilot-cli/index.ts";

export const NOW = new Date("2026-11-15T12:00:00.000Z");

export function openCopilot(copilot: string): Catalog {
  const homeDir = join(copilot, "..", "nowhere");
  const vars = { COPILOT_HOME: copilot };
  return openCatalog([copilotCli], { platform: process.platform, homeDir, vars }, localFs);
}
