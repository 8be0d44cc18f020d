/** `rethread doctor`: reports what is wrong with sessions. */

import { AppError } from "../../../model/errors.ts";
import { doctor } from "../../../operations/questions/doctor.ts";
import { defineCommand } from "../../command.ts";
import { SOURCE_ARG } from "../../filters.ts";
import { printDiagnosis } from "../../print/answers/doctor.ts";
import { printWorkspaces } from "../../print/answers/doctor-workspaces.ts";

export default defineCommand({
  name: "doctor",
  summary: "Report what is wrong with sessions and how to fix it; exits with 1 when something is",
  about:
    "Reads every session and checks the files around it. Nothing is changed. For rethread's own backups and archived copies it checks that no part is missing; `rethread history --verify` reads them. Damage: content is lost, or the owning program fails on it. Trouble: everything is readable, but the owning program hides it or will lose it. Oddity: worth knowing, but the owning program tolerates it.",
  isPaged: true,
  args: {
    ...SOURCE_ARG,
    vscode: { kind: "flag", help: "only VS Code, as an overview: one line for each workspace" },
  },
  examples: [
    { command: "rethread doctor", why: "check everything" },
    { command: "rethread doctor --vscode", why: "see which chats VS Code lost, hides or cannot load" },
    { command: "rethread doctor --source vscode --json", why: "one source, for a program" },
  ],
  operations: [doctor],
  async run({ args, config, out, openApp }) {
    const app = await openApp();
    const wanted = args.vscode ? ["vscode"] : args.source;
    if (args.vscode && args.source.length > 0)
      throw new AppError("usage", "--vscode and --source cannot be combined", "Use only one of them");
    const diagnosis = await out.progress("Examining sessions", (call) =>
      doctor.run(app, { ...(wanted.length > 0 && { sources: wanted }) }, call),
    );
    const { homeDir } = config.environment;
    if (args.json) out.json(doctor.toJson(diagnosis, app));
    else if (args.vscode)
      for (const line of printWorkspaces(diagnosis, homeDir, out, app.demo ? " --demo" : "")) out.line(line);
    else for (const line of printDiagnosis(diagnosis, homeDir, out)) out.line(line);
    return diagnosis.problems.length > 0 ? 1 : 0;
  },
});
