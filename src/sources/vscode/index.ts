/** GitHub Copilot Chat in VS Code: one file a session in the editor's own storage. Evidence: FORMAT.md. */

import { defineSource, later } from "../source.ts";
import { lookUpAct } from "../tool-actions.ts";
import { SOURCE } from "./format/problems.ts";
import { locate, ownFolders } from "./index-db/locate.ts";
import { entrances } from "./index-db/stores.ts";
import { launch } from "./launch.ts";
import { scan } from "./scan.ts";
import { ACTS } from "./tool-actions.ts";

export default defineSource({
  id: SOURCE,
  label: "GitHub Copilot Chat in VS Code",
  locate,
  scan,
  entrances,
  ownFolders,
  read: later(async () => (await import("./read.ts")).read),
  context: later(async () => (await import("./context.ts")).context),
  perceive: later(async () => (await import("./context.ts")).perceive),
  files: later(async () => (await import("./files.ts")).files),
  act: (name, input) => lookUpAct(ACTS, name, input),
  examine: later(async () => (await import("./health.ts")).examine),
  editor: async () => (await import("./edit/index.ts")).editor,
  launch: ({ root }, { workspace }) => launch(root, workspace),
  interchange: async () => (await import("./edit/interchange/interchange.ts")).interchange,
  compose: later(async () => (await import("./demo/compose.ts")).compose),
  merge: later(async () => (await import("./demo/compose.ts")).merge),
});
