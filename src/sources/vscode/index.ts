/** GitHub Copilot Chat in VS Code: one file a session in the editor's own storage. Evidence: FORMAT.md. */
import { lookUpAct } from "../acts.ts";
import { defineSource } from "../source.ts";
import { ACTS } from "./acts.ts";
import { compose, merge } from "./compose.ts";
import { context } from "./context.ts";
import { examine } from "./examine.ts";
import { files } from "./files.ts";
import { locate } from "./locate.ts";
import { SOURCE } from "./problems.ts";
import { read } from "./read.ts";
import { scan } from "./scan.ts";
import { entrances } from "./stores.ts";

export default defineSource({
  id: SOURCE,
  label: "GitHub Copilot Chat in VS Code",
  locate,
  scan,
  entrances,
  read,
  context,
  files,
  act: (name, input) => lookUpAct(ACTS, name, input),
  examine,
  compose,
  merge,
});
