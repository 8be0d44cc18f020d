/** `rethread demo`: creates sample sessions. */

import type { Zod } from "../../operations/operation.ts";
import { countFields } from "../../operations/schemas/session.ts";
import { plural } from "../../present/text/measure.ts";
import { defineCommand } from "../command.ts";

export default defineCommand({
  name: "demo",
  summary: "Create a demo home with sample sessions to try every command on",
  brief: "Create sample sessions to try every command on",
  about:
    "Writes about 40 realistic sessions of all sources into rethread's own data folder, some of them damaged on purpose. An earlier demo is replaced. Any command uses them with --demo; your own sessions are never touched.",
  args: {},
  examples: [
    { command: "rethread demo", why: "create it" },
    { command: "rethread list --demo", why: "list its sessions" },
  ],
  operations: [],
  json: [{ schema: demoShape }],
  async run({ args, config, out }) {
    const { makeDemo } = await import("../../app/choose-catalog.ts");
    const demo = await makeDemo(config);
    if (args.json) {
      out.json({
        folder: demo.folder,
        sessionCount: demo.sessions,
        sessions: demo.sessions,
        bySource: demo.bySource,
        vars: demo.vars,
      });
      return 0;
    }
    const sources = Object.entries(demo.bySource).map(([source, count]) => `${count} ${source}`);
    out.line(
      `Created ${plural(demo.sessions, "session", "sessions")} (${sources.join(", ")}) in ${demo.folder}`,
    );
    out.line();
    for (const command of ["rethread --demo", "rethread list --demo", "rethread doctor --demo"])
      out.line(`  ${out.style.cyan(command)}`);
    return 0;
  },
});

function demoShape(z: Zod) {
  return z.object({
    folder: z.string().describe("where it was written"),
    ...countFields(z, "how many"),
    bySource: z.record(z.string(), z.int()).describe("how many of each source"),
    vars: z
      .record(z.string(), z.string())
      .describe("the environment variables with which the real programs find it"),
  });
}
