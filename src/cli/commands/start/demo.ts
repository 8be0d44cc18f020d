/** `rethread demo`: creates sample sessions. */

import type { Config } from "../../../app/config.ts";
import type { EarlierDemo } from "../../../app/earlier-demo.ts";
import { AppError } from "../../../model/errors.ts";
import { toShell } from "../../../model/text/shell-words.ts";
import { isAtOrBelow } from "../../../model/values/paths.ts";
import type { Zod } from "../../../operations/operation.ts";
import { countFields } from "../../../operations/schemas/session.ts";
import { plural } from "../../../present/text/measure.ts";
import { defineCommand } from "../../command.ts";
import type { Output } from "../../output.ts";
import { isAgreed } from "../../writing.ts";

export default defineCommand({
  name: "demo",
  summary: "Create a demo home with sample sessions to try every command on",
  brief: "Create sample sessions to try every command on",
  about:
    "Writes about 40 realistic sessions of all sources into rethread's own data folder, some of them damaged on purpose. An earlier demo is replaced, with all that was changed in it; if anything was, it asks first. Any command uses them with --demo; your own sessions are never touched.",
  args: { yes: { kind: "flag", short: "y", help: "replace a demo that was changed without asking" } },
  examples: [
    { command: "rethread demo", why: "create it" },
    { command: "rethread list --demo", why: "list its sessions" },
  ],
  operations: [],
  json: [{ schema: demoShape }],
  async run({ args, config, out }) {
    const [{ makeDemo }, { earlierDemo }, { runningServers }] = await Promise.all([
      import("../../../app/choose-catalog.ts"),
      import("../../../app/earlier-demo.ts"),
      import("../../../server/running-server.ts"),
    ]);
    const earlier = await earlierDemo(config);
    if (earlier && earlier.writes > 0 && !args.yes && !(await mayReplace(earlier, args, config, out)))
      return 1;
    const servers = earlier ? await runningServers(earlier.folder) : [];
    const demo = await makeDemo(config);
    if (earlier) for (const sentence of whatIsGone(earlier, servers, config)) out.note(sentence);
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

async function mayReplace(
  { writes }: EarlierDemo,
  args: { readonly json: boolean },
  { canAsk }: Config,
  out: Output,
): Promise<boolean> {
  const what = `The demo was changed: its history has ${plural(writes, "entry", "entries")}`;
  if (!canAsk)
    throw new AppError(
      "needs-yes",
      `${what}, which a new demo would not have`,
      "Add --yes to replace it; to see what was changed: rethread history --demo",
    );
  return isAgreed(args, out, async () => [`${what}. A new demo has none of these changes.`], "the demo");
}

function whatIsGone({ folder, writes }: EarlierDemo, servers: readonly string[], config: Config): string[] {
  return [
    `This demo took the place of an earlier one${writes > 0 ? "; what was changed in that is gone" : ""}.`,
    ...(isAtOrBelow(config.folder, folder)
      ? [
          `This terminal is still in a folder of the earlier one. Enter it again: ${toShell(["cd", config.folder])}`,
        ]
      : []),
    ...servers.map(
      (address) =>
        `A server of the earlier demo still runs at ${address}. Stop it, then start another: rethread serve --demo`,
    ),
  ];
}

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
