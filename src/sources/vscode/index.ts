/** GitHub Copilot Chat in VS Code: one file per session in the editor's own storage. Evidence: FORMAT.md. */
import { defineSource, later } from "../source.ts";
import { findToolAction } from "../tools/actions.ts";
import { SOURCE } from "./format/problems.ts";
import { locate, ownFolders, VARIABLES } from "./index-db/locate.ts";
import { newSessionFolders } from "./index-db/stores.ts";
import { launch } from "./launch.ts";
import { mcpSettings } from "./mcp-settings.ts";
import { scan } from "./scan.ts";
import { TOOL_ACTIONS } from "./tool-actions.ts";

export default defineSource({
  id: SOURCE,
  label: "GitHub Copilot Chat in VS Code",
  locate,
  variables: VARIABLES,
  scan,
  renewsIds: true,
  read: later(async () => (await import("./read.ts")).read),
  actionOf: (name, input) => findToolAction(TOOL_ACTIONS, name, input),
  toolEdits: async () => (await import("./tool-edits.ts")).toolEdits,
  context: {
    messages: later(async () => (await import("./context.ts")).context),
    measure: later(async () => (await import("./context.ts")).measure),
    limit: later(async () => (await import("./context.ts")).limit),
  },
  watch: { newSessionFolders },
  files: { of: later(async () => (await import("./files.ts")).files), ownFolders },
  health: { diagnose: later(async () => (await import("./health.ts")).diagnose) },
  workspaces: { list: later(async () => (await import("./workspaces.ts")).workspaces) },
  start: { command: ({ root }, { workspace }) => launch(root, workspace) },
  demo: {
    compose: later(async () => (await import("./demo/compose.ts")).compose),
    merge: later(async () => (await import("./demo/compose.ts")).merge),
  },
  images: async () => (await import("./response/images.ts")).images,
  mcp: mcpSettings,
  editor: async () => (await import("./edit/index.ts")).editor,
  interchange: async () => (await import("./edit/interchange/interchange.ts")).interchange,
  handoff: async () => (await import("./handoff/index.ts")).handoff,
});
