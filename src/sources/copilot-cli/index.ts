/** Copilot CLI: one folder per session, with an append-only log of events in it. Evidence: FORMAT.md. */
import { defineSource, later } from "../source.ts";
import { findToolAction } from "../tools/actions.ts";
import { glancing } from "./glance.ts";
import { inspect, scan } from "./scan.ts";
import { TOOL_ACTIONS } from "./tool-actions.ts";
import { home, whyNotInSession } from "./workspace/home.ts";
import { folderOf, locate, ROOT_VARIABLE, resumeWords, SOURCE, stateFolder } from "./workspace/locate.ts";
import { mcpSettings } from "./workspace/mcp-settings.ts";
import { changes, folders, note, pathOf, readText } from "./workspace/sidecar-texts.ts";
import { vendorStore } from "./workspace/vendor-store.ts";

export default defineSource({
  id: SOURCE,
  label: "GitHub Copilot CLI",
  locate,
  variables: [ROOT_VARIABLE],
  scan,
  read: later(async () => (await import("./read.ts")).read),
  readsRanges: true,
  actionOf: (name, input) => findToolAction(TOOL_ACTIONS, name, input),
  toolEdits: async () => (await import("./tool-edits.ts")).toolEdits,
  context: {
    messages: later(async () => (await import("./context.ts")).context),
    limit: later(async () => (await import("./context.ts")).limit),
  },
  watch: {
    newSessionFolders: (root) => [stateFolder(root)],
    inspect,
    glancing,
    canContinue: later(async () => (await import("../log/tail-hash.ts")).isUntouched),
  },
  sidecars: { note, changes, pathOf, read: readText, folders },
  files: {
    of: later(async () => (await import("./workspace/files.ts")).files),
    folderOf: ({ path }) => folderOf(path),
    whyLeftOut: whyNotInSession,
  },
  processes: {
    owners: later(async () => (await import("./workspace/locks.ts")).owners),
    signs: async () => (await import("./workspace/program.ts")).signs,
  },
  health: { diagnose: later(async () => (await import("./health.ts")).diagnose) },
  start: {
    rootVariable: ROOT_VARIABLE,
    command: ({ id, path }) => (folderOf(path) === undefined ? undefined : resumeWords(id)),
    driver: async () => (await import("./drive/index.ts")).driver,
  },
  demo: {
    compose: later(async () => (await import("./demo/compose.ts")).compose),
    merge: later(async () => (await import("./demo/compose-store.ts")).withStore),
  },
  mcp: mcpSettings,
  home,
  vendorStore,
  images: async () => (await import("./log/images.ts")).images,
  editor: async () => (await import("./edit/index.ts")).editor,
  interchange: async () => (await import("./edit/interchange/interchange.ts")).interchange,
  handoff: async () => (await import("./handoff/index.ts")).handoff,
});
