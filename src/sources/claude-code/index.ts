/** Claude Code: one JSONL file a session, in a folder named after the workspace. Evidence: FORMAT.md. */

import { defineSource, later } from "../source.ts";
import { lookUpAct } from "../tool-actions.ts";
import { locate, projectsFolder, resumeWords } from "./locate.ts";
import { look, SOURCE, scan } from "./scan.ts";
import { ACTS } from "./tool-actions.ts";

export default defineSource({
  id: SOURCE,
  label: "Claude Code",
  countsCacheApart: true,
  locate,
  scan,
  look,
  entrances: (root) => [projectsFolder(root)],
  read: later(async () => (await import("./read.ts")).read),
  readsRanges: true,
  canGoOn: later(async () => (await import("./tree/tail.ts")).canGoOn),
  context: later(async () => (await import("./context.ts")).context),
  files: later(async () => (await import("./files.ts")).files),
  act: (name, input) => lookUpAct(ACTS, name, input),
  owners: later(async () => (await import("./open-sessions.ts")).owners),
  program: async () => (await import("./program.ts")).signs,
  examine: later(async () => (await import("./health.ts")).examine),
  launch: (artifact) => resumeWords(artifact),
  compose: later(async () => (await import("./demo/compose.ts")).compose),
});
