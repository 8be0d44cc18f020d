/** The reference page of all commands, in Markdown. */

import { type ArgSpec, GLOBAL_ARGS } from "../src/cli/args.ts";
import { type AnyCommand, shapesOf } from "../src/cli/command.ts";
import { ALIASES } from "../src/cli/commands.ts";
import { helpOf, optionUsage, usageOf } from "../src/cli/print/terminal/help.ts";
import { ERROR_CODES } from "../src/model/errors.ts";
import { PROBLEM_CODES } from "../src/model/problem.ts";
import { jsonRows } from "./json-table.ts";

/** Exit code, error code, meaning. */
export const EXITS: readonly (readonly [string, string, string])[] = [
  ["0", "", "done"],
  [
    "1",
    "",
    "done, but `doctor` found problems, or `index` could not read everything; or the answer to a question was no, and nothing was changed",
  ],
  ...Object.entries(ERROR_CODES).map(
    ([code, { exit, means }]) => [String(exit), `\`${code}\``, means] as const,
  ),
  [
    "130, 143",
    "",
    "interrupted by Ctrl-C or SIGTERM, or a picker was left with Esc; `index --watch` then exits with 0",
  ],
];

/** Variable, meaning. */
export const VARIABLES: readonly (readonly [string, string])[] = [
  [
    "`RETHREAD_HOME`",
    "where rethread keeps its own data (else the platform's data folder, such as `~/.local/share/rethread`)",
  ],
  ["`COPILOT_HOME`", "where Copilot CLI keeps its data (else `~/.copilot`)"],
  ["`CLAUDE_CONFIG_DIR`", "where Claude Code keeps its data (else `~/.claude`)"],
  ["`CODEX_HOME`", "where Codex CLI keeps its data (else `~/.codex`)"],
  [
    "`VSCODE_STORAGE_PATH`",
    "one `workspaceStorage` folder (else every folder of the VS Code family that is found)",
  ],
  [
    "`RETHREAD_PROVIDER_URL`",
    "the database of a hub on which applications keep their sessions (`postgres://rethread_app:…`): these are read and changed instead of this machine's own, with the token of `RETHREAD_HUB_TOKEN` or `rethread hub login`; see `docs/library.md`",
  ],
  [
    "`RETHREAD_VANISHED`, `RETHREAD_ARCHIVE`",
    "override the settings of the same names in `config.json`; see `docs/configuration.md`",
  ],
  ["`NO_COLOR`, `FORCE_COLOR`", "no colors; colors even in a pipe"],
  ["`COLUMNS`", "how wide the output may be (else the terminal's width)"],
  ["`PAGER`", "the pager for long output in a terminal (else `less -R`); empty for none"],
  ["`BROWSER`", "what `--open` starts (else the platform's own way, where there is a screen)"],
  ["`RETHREAD_DEBUG`", "show the stack trace of a defect"],
];

/** How a session is named. */
export const NAMING =
  "Name a session by any unique start of its id, by its title, by `source:id`, as `latest`, or as `.` for the latest one of this folder. At a terminal, a name that is missing, or that several sessions have, opens a picker: type to filter, move with the arrows, Enter chooses, Esc leaves. Elsewhere, the sessions that the name could mean are listed. Turns are counted from 0.";

export function commandReference(commands: readonly AnyCommand[]): string {
  return [
    "# The command",
    "<!-- Written by `npm run docs` from the command table. Do not edit. -->",
    `\`rethread [command] [options]\`. Data goes to stdout; notes and progress go to stderr. ${NAMING}`,
    "From a checkout, `npm run -s rethread -- <command>` runs the command with the right Node.",
    `Other names: ${Object.entries(ALIASES)
      .map(([alias, name]) => `\`${alias}\` is \`${name}\``)
      .join(", ")}, and \`version\` is \`--version\`.`,
    table(
      ["Command", "What it does"],
      commands.map((command) => [`[\`${usageOf(command)}\`](#${command.name})`, command.summary]),
    ),
    "Options for all commands:",
    optionTable(Object.entries(GLOBAL_ARGS)),
    ...commands.flatMap(commandSection),
    "## JSON",
    "With `--json` a command prints one object on stdout and nothing else. It has `schemaVersion: 1` and the fields named above; more fields may be added, but these will not change. `notices[]` has what was remarked on stderr before the answer, such as what is not indexed yet; without remarks it is not there, nor in `show`, which writes its answer while it reads. With `--jsonl` there is one object per line. A failure prints `error` with `code`, `message` and `hint` instead, and the exit code is not 0. For a name that several sessions have, `matches[]` lists them (`source`, `id`, `title`, `workspace`, `repository`, `updatedAt`). Where the hint, or the `fix` of a problem, is one of these commands, `remedy` beside it is the same as data: `action` (the command), `session`, `args` (its options in camelCase), `asks` (arguments that only you can choose), `demo`.",
    "## Exit codes",
    table(["Exit", "Code", "Means"], EXITS),
    "## Problems",
    "What `doctor` may find. Damage: content is lost, or the owning program fails on it. Trouble: everything is readable, but the owning program hides it or will lose it. Oddity: tolerated by the owning program, and reported only by `doctor`.",
    table(
      ["Code", "Severity", "Means"],
      Object.entries(PROBLEM_CODES).map(([code, { severity, means }]) => [`\`${code}\``, severity, means]),
    ),
    "## Environment",
    table(["Variable", "Means"], VARIABLES),
  ]
    .join("\n\n")
    .concat("\n");
}

function commandSection(command: AnyCommand): string[] {
  const entries = Object.entries(command.args);
  const options = entries.filter(([, spec]) => spec.kind !== "positional");
  const positionals = entries.filter(([, spec]) => spec.kind === "positional");
  return [
    `## ${command.name}`,
    `${command.summary}.${command.about ? ` ${command.about}` : ""}`,
    `\`\`\`\nrethread ${usageOf(command)}${options.length > 0 ? " [options]" : ""}\n\`\`\``,
    ...(positionals.length > 0
      ? [
          table(
            ["Argument", "Means"],
            positionals.map(([name, spec]) => [`\`<${name}>\``, helpOf(spec)]),
          ),
        ]
      : []),
    ...(options.length > 0 ? [optionTable(options)] : []),
    `\`\`\`sh\n${command.examples.map(({ command: line, why }) => `${line}  # ${why}`).join("\n")}\n\`\`\``,
    table(
      ["Field with `--json`", "Holds"],
      jsonRows(shapesOf(command)).map(([name, means]) => [
        name
          .split(", ")
          .map((each) => `\`${each}\``)
          .join(", "),
        means,
      ]),
    ),
  ];
}

const optionTable = (options: readonly (readonly [string, ArgSpec])[]): string =>
  table(
    ["Option", "Means"],
    options.map(([key, spec]) => [`\`${optionUsage(key, spec)}\``, spec.help]),
  );

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
