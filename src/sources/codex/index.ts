/** OpenAI Codex CLI: one JSONL file per session, in folders of days. Evidence: FORMAT.md. */
import { defineSource, later } from "../source.ts";
import {
  archiveFolder,
  isArchived,
  locate,
  ROOT_VARIABLE,
  resumeWords,
  SOURCE,
  sessionsFolder,
} from "./locate.ts";
import { inspect, scan } from "./scan.ts";
import { actionOf } from "./tool-actions.ts";

export default defineSource({
  id: SOURCE,
  label: "Codex CLI",
  locate,
  variables: [ROOT_VARIABLE],
  scan,
  read: later(async () => (await import("./read.ts")).read),
  readsRanges: true,
  actionOf,
  toolEdits: async () => (await import("./tool-edits.ts")).toolEdits,
  context: {
    messages: later(async () => (await import("./context.ts")).context),
    limit: later(async () => (await import("./context.ts")).limit),
  },
  watch: {
    newSessionFolders: (root) => [sessionsFolder(root), archiveFolder(root)],
    inspect,
    canContinue: later(async () => (await import("../log/tail-hash.ts")).isUntouched),
  },
  files: { of: later(async () => (await import("./files.ts")).files) },
  processes: { signs: async () => (await import("./program.ts")).signs },
  health: { diagnose: later(async () => (await import("./health.ts")).diagnose) },
  start: {
    rootVariable: ROOT_VARIABLE,
    command: (artifact) => (isArchived(artifact) ? undefined : resumeWords(artifact)),
  },
  handoff: async () => (await import("./handoff/index.ts")).handoff,
  demo: {
    compose: later(async () => (await import("./demo/compose.ts")).compose),
    merge: later(async () => (await import("./demo/compose.ts")).merge),
  },
  images: async () => (await import("./images.ts")).images,
});
