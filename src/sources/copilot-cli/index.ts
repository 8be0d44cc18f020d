/** Copilot CLI: one folder a session, with an append-only log of events in it. Evidence: FORMAT.md. */
import { lookUpAct } from "../acts.ts";
import { isUntouched } from "../guard.ts";
import { defineSource } from "../source.ts";
import { ACTS } from "./acts.ts";
import { compose } from "./compose.ts";
import { context } from "./context.ts";
import { examine } from "./examine.ts";
import { files } from "./files.ts";
import { folderOf, locate, SOURCE, stateFolder } from "./locate.ts";
import { owners } from "./locks.ts";
import { ownStore } from "./own-store.ts";
import { read } from "./read.ts";
import { look, scan } from "./scan.ts";

export default defineSource({
  id: SOURCE,
  label: "GitHub Copilot CLI",
  locate,
  scan,
  entrances: (root) => [stateFolder(root)],
  folderOf: ({ path }) => folderOf(path),
  look,
  read,
  canGoOn: isUntouched,
  context,
  files,
  act: (name, input) => lookUpAct(ACTS, name, input),
  owners,
  examine,
  ownStore,
  compose,
});
