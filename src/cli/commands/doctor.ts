/** `rethread doctor`: what is wrong in the agents' homes. */

import { AppError } from "../../model/errors.ts";
import { doctor } from "../../operations/doctor.ts";
import { toCall } from "../calling.ts";
import { defineCommand } from "../command.ts";
import { SOURCE_ARG } from "../filters.ts";
import { printDiagnosis } from "../print/doctor.ts";
import { printWorkspaces } from "../print/doctor-workspaces.ts";

export default defineCommand({
  name: "doctor",
  summary: "Say what is wrong in the agents' homes, and what helps; exits 1 when something is",
  about:
    "Reads every session and looks at what lies around them. Nothing is changed. Of rethread's own backups and archived copies it looks whether all parts are there; `rethread history --verify` reads them. Damage: content is lost, or the owning program stumbles. Trouble: everything is readable, but the owning program hides it or will lose it. Oddity: worth knowing, tolerated by the owning program.",
  args: {
    ...SOURCE_ARG,
    vscode: { kind: "flag", help: "only VS Code, at a glance: one line for each workspace" },
  },
  examples: [
    { command: "rethread doctor", why: "look at everything" },
    { command: "rethread doctor --vscode", why: "see which chats VS Code lost, hides or stumbles over" },
    { command: "rethread doctor --source vscode --json", why: "one source, for a program" },
  ],
  operations: [doctor],
  async run({ args, config, out, openApp }) {
    const app = await openApp();
    const wanted = args.vscode ? ["vscode"] : args.source;
    if (args.vscode && args.source.length > 0)
      throw new AppError("usage", "--vscode goes without --source", "Leave one of them out");
    const diagnosis = await out.progress("Examining sessions", (progress) =>
      doctor.run(app, { ...(wanted.length > 0 && { sources: wanted }) }, toCall(progress)),
    );
    const { homeDir } = config.environment;
    if (args.json) out.json(doctor.toJson(diagnosis, app));
    else if (args.vscode)
      for (const line of printWorkspaces(diagnosis, homeDir, out, app.demo ? " --demo" : "")) out.line(line);
    else for (const line of printDiagnosis(diagnosis, homeDir, out)) out.line(line);
    return diagnosis.problems.length > 0 ? 1 : 0;
  },
});
