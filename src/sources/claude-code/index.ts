/** Claude Code: one JSONL file a session, in a folder named after the workspace. Evidence: FORMAT.md. */
import { lookUpAct } from "../acts.ts";
import { defineSource } from "../source.ts";
import { ACTS } from "./acts.ts";
import { compose } from "./compose.ts";
import { context } from "./context.ts";
import { examine } from "./examine.ts";
import { files } from "./files.ts";
import { owners } from "./live.ts";
import { locate, projectsFolder } from "./locate.ts";
import { read } from "./read.ts";
import { SOURCE, scan } from "./scan.ts";

export default defineSource({
  id: SOURCE,
  label: "Claude Code",
  countsCacheApart: true,
  locate,
  scan,
  entrances: (root) => [projectsFolder(root)],
  read,
  context,
  files,
  act: (name, input) => lookUpAct(ACTS, name, input),
  owners,
  examine,
  compose,
});
