/** Copilot CLI: one folder a session, with an append-only log of events in it. Evidence: FORMAT.md. */

import { defineSource, later } from "../source.ts";
import { lookUpAct } from "../tool-actions.ts";
import { look, scan } from "./scan.ts";
import { ACTS } from "./tool-actions.ts";
import { home, whyNotInSession } from "./workspace/home.ts";
import { folderOf, locate, resumeWords, SOURCE, stateFolder } from "./workspace/locate.ts";
import { ownStore } from "./workspace/vendor-store.ts";

export default defineSource({
  id: SOURCE,
  label: "GitHub Copilot CLI",
  locate,
  scan,
  entrances: (root) => [stateFolder(root)],
  folderOf: ({ path }) => folderOf(path),
  look,
  read: later(async () => (await import("./read.ts")).read),
  readsRanges: true,
  canGoOn: later(async () => (await import("../tail-hash.ts")).isUntouched),
  context: later(async () => (await import("./context.ts")).context),
  files: later(async () => (await import("./workspace/files.ts")).files),
  whyLeftOut: whyNotInSession,
  act: (name, input) => lookUpAct(ACTS, name, input),
  owners: later(async () => (await import("./workspace/locks.ts")).owners),
  program: async () => (await import("./workspace/program.ts")).signs,
  examine: later(async () => (await import("./health.ts")).examine),
  ownStore,
  home,
  editor: async () => (await import("./edit/index.ts")).editor,
  launch: ({ id, path }) => (folderOf(path) === undefined ? undefined : resumeWords(id)),
  driver: async () => (await import("./drive/index.ts")).driver,
  interchange: async () => (await import("./edit/interchange/interchange.ts")).interchange,
  compose: later(async () => (await import("./demo/compose.ts")).compose),
});
