/** `rethread config`: shows and changes settings. */
import { AppError } from "../../../model/errors.ts";
import { printed } from "../../../model/text/printed.ts";
import { config, configSet } from "../../../operations/upkeep/config.ts";
import { oneLine } from "../../../present/text/text.ts";
import { defineCommand } from "../../command.ts";
import { toTable } from "../../print/terminal/table.ts";

export default defineCommand({
  name: "config",
  summary: "Show or change settings: how long backups are kept, whether sessions are archived, and more",
  brief: "Show or change settings",
  about:
    "The settings are in config.json in rethread's data folder; docs/configuration.md says what each means. A variable such as RETHREAD_ARCHIVE overrides the file. A value is checked before it is written.",
  args: {
    action: {
      kind: "positional",
      optional: true,
      choices: ["list", "get", "set"],
      help: "what to do (default: list)",
    },
    name: { kind: "positional", optional: true, help: "the setting, for `get` and `set`" },
    value: { kind: "positional", optional: true, help: "its new value, for `set`" },
  },
  examples: [
    { command: "rethread config", why: "all settings, and where their values come from" },
    { command: "rethread config get backupDays", why: "one value, for a script" },
    { command: "rethread config set archive true", why: "keep copies of sessions from now on" },
  ],
  operations: [config, configSet],
  json: [{ schema: config.output }],
  async run({ args, out, openApp }) {
    const { action = "list", name, value } = args;
    const needed = action === "set" ? value : action === "get" ? name : "";
    if (needed === undefined)
      throw new AppError(
        "usage",
        `config ${action} needs ${action === "set" ? "a setting and its value" : "a setting"}`,
        `For example: ${action === "set" ? "rethread config set backupDays 30" : "rethread config get backupDays"}`,
      );
    if ((action === "list" && name !== undefined) || (action === "get" && value !== undefined))
      throw new AppError(
        "usage",
        `config ${action} takes no value`,
        "To change a setting: rethread config set <name> <value>",
      );
    const app = await openApp();
    const answer =
      action === "set" && name !== undefined && value !== undefined
        ? await configSet.run(app, { name, value })
        : await config.run(app, name === undefined ? {} : { name });
    if (args.json) out.json(config.toJson(answer, app));
    else if (action === "get") out.line(oneLine(shown(answer.settings[0]?.value)));
    else {
      const changed =
        action === "set" ? answer.settings.filter((each) => each.name === name) : answer.settings;
      for (const line of toTable(
        changed,
        [
          { head: "SETTING", text: (each) => each.name, paint: () => out.style.cyan },
          { head: "VALUE", text: (each) => oneLine(shown(each.value)), min: 12 },
          { head: "FROM", text: (each) => each.variable ?? each.from, paint: () => out.style.dim },
        ],
        out.columns,
        out.style.dim,
      ))
        out.line(line);
      if (action === "list") out.note(answer.path);
    }
    return 0;
  },
});

const shown = (value: unknown): string =>
  typeof value === "object" && value !== null ? JSON.stringify(value) : printed(value);
