/** GitHub Copilot Chat in VS Code: one file a session in the editor's own storage. Evidence: FORMAT.md. */
import { lookUpAct } from "../acts.ts";
import { defineSource, later } from "../source.ts";
import { ACTS } from "./acts.ts";
import { launch } from "./launch.ts";
import { locate, ownFolders } from "./locate.ts";
import { SOURCE } from "./problems.ts";
import { scan } from "./scan.ts";
import { entrances } from "./stores.ts";

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
  examine: later(async () => (await import("./examine.ts")).examine),
  editor: async () => (await import("./edit/index.ts")).editor,
  launch: ({ root }, { workspace }) => launch(root, workspace),
  interchange: async () => (await import("./edit/interchange.ts")).interchange,
  compose: later(async () => (await import("./compose.ts")).compose),
  merge: later(async () => (await import("./compose.ts")).merge),
});
