/** Copilot CLI: one folder a session, with an append-only log of events in it. Evidence: FORMAT.md. */
import { lookUpAct } from "../acts.ts";
import { defineSource, later } from "../source.ts";
import { ACTS } from "./acts.ts";
import { home, whyNotInSession } from "./home.ts";
import { folderOf, locate, resumeWords, SOURCE, stateFolder } from "./locate.ts";
import { ownStore } from "./own-store.ts";
import { look, scan } from "./scan.ts";

export default defineSource({
  id: SOURCE,
  label: "GitHub Copilot CLI",
  locate,
  scan,
  entrances: (root) => [stateFolder(root)],
  folderOf: ({ path }) => folderOf(path),
  look,
  read: later(async () => (await import("./read.ts")).read),
  canGoOn: later(async () => (await import("../guard.ts")).isUntouched),
  context: later(async () => (await import("./context.ts")).context),
  files: later(async () => (await import("./files.ts")).files),
  whyLeftOut: whyNotInSession,
  act: (name, input) => lookUpAct(ACTS, name, input),
  owners: later(async () => (await import("./locks.ts")).owners),
  program: async () => (await import("./program.ts")).signs,
  examine: later(async () => (await import("./examine.ts")).examine),
  ownStore,
  home,
  editor: async () => (await import("./edit/index.ts")).editor,
  launch: ({ id, path }) => (folderOf(path) === undefined ? undefined : resumeWords(id)),
  driver: async () => (await import("./drive/index.ts")).driver,
  interchange: async () => (await import("./edit/interchange.ts")).interchange,
  compose: later(async () => (await import("./compose.ts")).compose),
});
