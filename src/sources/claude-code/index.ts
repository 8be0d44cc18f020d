/** Claude Code: one JSONL file per session, in a folder named after the workspace. Evidence: FORMAT.md. */
import { defineSource, later } from "../source.ts";
import { findToolAction } from "../tools/actions.ts";
import { isAgentId, locate, projectsFolder, ROOT_VARIABLE, resumeWords } from "./locate.ts";
import { mcpSettings } from "./mcp-settings.ts";
import { inspect, SOURCE, scan } from "./scan.ts";
import { TOOL_ACTIONS } from "./tool-actions.ts";

export default defineSource({
  id: SOURCE,
  label: "Claude Code",
  locate,
  variables: [ROOT_VARIABLE],
  scan,
  read: later(async () => (await import("./read.ts")).read),
  readsRanges: true,
  countsCacheApart: true,
  actionOf: (name, input) => findToolAction(TOOL_ACTIONS, name, input),
  toolEdits: async () => (await import("./tool-edits.ts")).toolEdits,
  context: { messages: later(async () => (await import("./context.ts")).context) },
  watch: {
    newSessionFolders: (root) => [projectsFolder(root)],
    inspect,
    canContinue: later(async () => (await import("./tree/tail.ts")).canContinue),
  },
  files: { of: later(async () => (await import("./files.ts")).files) },
  processes: {
    owners: later(async () => (await import("./open-sessions.ts")).owners),
    signs: async () => (await import("./program.ts")).signs,
  },
  health: { diagnose: later(async () => (await import("./health.ts")).diagnose) },
  start: {
    rootVariable: ROOT_VARIABLE,
    command: (artifact) => (isAgentId(artifact.id) ? undefined : resumeWords(artifact)),
    driver: async () => (await import("./drive/index.ts")).driver,
  },
  mcp: mcpSettings,
  demo: { compose: later(async () => (await import("./demo/compose.ts")).compose) },
  editor: async () => (await import("./edit/index.ts")).editor,
  images: async () => (await import("./images.ts")).images,
  handoff: async () => (await import("./handoff/index.ts")).handoff,
});
