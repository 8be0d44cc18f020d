/** `rethread doctor`: what is wrong in the agents' homes. */
import { defineCommand } from "../command.ts";
import { SOURCE_ARG } from "../filters.ts";
import { printDiagnosis } from "../print/doctor.ts";
import { toFindingJson } from "../print/shapes.ts";

export default defineCommand({
  name: "doctor",
  summary: "Say what is wrong in the agents' homes, and what helps; exits 1 when something is",
  about:
    "Reads every session and looks at what lies around them. Nothing is changed. Damage: content is lost, or the owning program stumbles. Trouble: everything is readable, but the owning program hides it or will lose it. Oddity: worth knowing, tolerated by the owning program.",
  args: SOURCE_ARG,
  examples: [
    { command: "rethread doctor", why: "look at everything" },
    { command: "rethread doctor --source vscode --json", why: "one source, for a program" },
  ],
  json: {
    "problems[]":
      "`code`, `source`, `session`, `path`, `line`, `message`, `fix`, `severity`, `title`, `producer`; worst first",
    sessions: "how many were read",
  },
  async run({ args, config, out, openApp }) {
    const app = await openApp();
    const diagnosis = await out.progress("Examining sessions", (progress) =>
      app.doctor(args.source.length > 0 ? args.source : undefined, progress),
    );
    if (args.json)
      out.json({ problems: diagnosis.problems.map(toFindingJson), sessions: diagnosis.sessions });
    else for (const line of printDiagnosis(diagnosis, config.environment.homeDir, out)) out.line(line);
    return diagnosis.problems.length > 0 ? 1 : 0;
  },
});
