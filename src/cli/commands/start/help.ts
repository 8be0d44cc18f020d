/** `rethread help`: shows how to use commands. */

import { AppError } from "../../../model/errors.ts";
import { memberOf } from "../../../model/values/member.ts";
import type { Zod } from "../../../operations/operation.ts";
import { type ArgSpec, GLOBAL_ARGS, meant, optionName, placeholder } from "../../args.ts";
import type { AnyCommand } from "../../command.ts";
import { defineCommand } from "../../command.ts";
import { ALIASES, COMMANDS, loadCommands } from "../../commands.ts";
import { commandHelp, generalHelp } from "../../print/terminal/help.ts";

export default defineCommand({
  name: "help",
  summary: "Show how to use rethread or one of its commands",
  isPaged: true,
  args: {
    command: {
      kind: "positional",
      optional: true,
      help: "the command to explain (default: list all commands)",
    },
    action: {
      kind: "positional",
      optional: true,
      help: "one of its actions, as in `help hub user`; the help of the command has all of them",
    },
  },
  examples: [{ command: "rethread help list", why: "all options of one command" }],
  operations: [],
  json: [{ schema: helpShape }],
  async run({ args, out }) {
    const all = await loadCommands();
    const name = args.command && (memberOf(ALIASES, args.command) ?? args.command);
    const wanted = name === undefined ? all : all.filter((command) => command.name === name);
    if (wanted.length === 0)
      throw new AppError(
        "usage",
        `Unknown command "${args.command}"`,
        meant(args.command ?? "", Object.keys(COMMANDS)) ?? "See all commands: rethread help",
      );
    const [only] = wanted;
    if (args.json) out.json({ commands: wanted.map(toJson) });
    else
      for (const line of args.command !== undefined && only ? commandHelp(only, out) : generalHelp(all, out))
        out.line(line);
    return 0;
  },
});

function toJson(command: AnyCommand) {
  const specs = Object.entries<ArgSpec>({ ...command.args, ...GLOBAL_ARGS });
  return {
    name: command.name,
    summary: command.summary,
    positionals: specs
      .filter(([, spec]) => spec.kind === "positional")
      .map(([name, spec]) => ({
        name,
        optional: spec.kind === "positional" && spec.optional === true,
        help: spec.help,
      })),
    options: specs
      .filter(([, spec]) => spec.kind !== "positional")
      .map(([key, spec]) => ({ name: optionName(key), value: placeholder(spec) || null, help: spec.help })),
    examples: command.examples,
  };
}

function helpShape(z: Zod) {
  return z.object({
    commands: z.array(
      z.object({
        name: z.string(),
        summary: z.string(),
        positionals: z.array(z.object({ name: z.string(), optional: z.boolean(), help: z.string() })),
        options: z.array(z.object({ name: z.string(), value: z.string().nullable(), help: z.string() })),
        examples: z.array(z.object({ command: z.string(), why: z.string() })),
      }),
    ),
  });
}
