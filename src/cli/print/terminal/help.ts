/** Help pages. */

import type { Page } from "../../../present/page.ts";
import { cut, pad, widthOf, wrap } from "../../../present/text/text.ts";
import { type ArgSpec, type ArgSpecs, GLOBAL_ARGS, optionName, placeholder, shortOf } from "../../args.ts";
import { type AnyCommand, briefOf } from "../../command.ts";
import { GROUPS } from "../../commands.ts";

/** Where the descriptions begin: behind the group and the name of a command. */
const NAME_AT = 12;
const BRIEF_AT = 24;

/** One line for each command, so that all of them fit one screen; `help <command>` says the rest. */
export function generalHelp(commands: readonly AnyCommand[], page: Page): string[] {
  const { style, columns } = page;
  const briefs = new Map(commands.map((command) => [command.name, briefOf(command)]));
  const rows = Object.entries(GROUPS).flatMap(([title, group]) =>
    Object.keys(group).map((name, number) => {
      const label = pad(number === 0 ? title : "", NAME_AT - 2);
      const brief = cut(briefs.get(name) ?? "", columns - BRIEF_AT);
      return `  ${style.bold(label)}${style.cyan(pad(name, BRIEF_AT - NAME_AT))}${brief}`.trimEnd();
    }),
  );
  const globals = Object.keys(GLOBAL_ARGS).map(optionName).join(", ");
  return [
    ...wrap("Usage: rethread [command] [options]; more: rethread help <command>", columns),
    "",
    ...rows,
    "",
    ...wrap(`For all commands: ${globals}`, columns),
    ...wrap("Name a session by the start of its id, its title, latest, or . (this folder's).", columns),
  ];
}

export function commandHelp(command: AnyCommand, page: Page): string[] {
  const { style, columns } = page;
  const positionals = Object.entries(command.args).filter(([, spec]) => spec.kind === "positional");
  const options = Object.entries(command.args).filter(([, spec]) => spec.kind !== "positional");
  const section = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : ["", style.bold(title), ...lines];
  return [
    ...wrap(`${command.summary}.`, columns),
    ...section("Usage", [`  rethread ${usageOf(command)}${options.length > 0 ? " [options]" : ""}`]),
    ...section(
      "Arguments",
      twoColumns(
        positionals.map(([name, spec]) => [`<${name}>`, helpOf(spec)]),
        page,
      ),
    ),
    ...section("Options", optionLines(Object.fromEntries(options), page)),
    ...section("Options for all commands", optionLines(GLOBAL_ARGS, page)),
    ...section(
      "Examples",
      command.examples.flatMap(({ command: line, why }) => [
        `  ${style.cyan(line)}`,
        ...wrap(why, columns - 4).map((text) => `    ${style.dim(text)}`),
      ]),
    ),
    ...(command.about ? ["", ...wrap(command.about, columns)] : []),
  ];
}

export function usageOf(command: AnyCommand): string {
  const positionals = Object.entries(command.args).flatMap(([name, spec]) =>
    spec.kind === "positional" ? [spec.optional ? `[${name}]` : `<${name}>`] : [],
  );
  return [command.name, ...positionals].join(" ");
}

export function optionUsage(key: string, spec: ArgSpec): string {
  const letter = shortOf(spec);
  const short = letter === undefined ? "" : `-${letter}, `;
  const value = spec.kind === "mode" ? `[=${spec.choices.join("|")}]` : placeholder(spec);
  return `${short}${optionName(key)}${spec.kind === "mode" || value === "" ? value : ` ${value}`}`;
}

const optionLines = (specs: ArgSpecs, page: Page): string[] =>
  twoColumns(
    Object.entries(specs).map(([key, spec]) => [optionUsage(key, spec), helpOf(spec)]),
    page,
  );

/** With the values that it may have, unless the words name all of them already. */
export function helpOf(spec: ArgSpec): string {
  if (spec.kind !== "positional" || !spec.choices) return spec.help;
  const words = new Set(spec.help.match(/[\w-]+/g));
  return spec.choices.every((choice) => words.has(choice))
    ? spec.help
    : `${spec.help}: ${spec.choices.join(", ")}`;
}

function twoColumns(
  rows: readonly (readonly [string, string])[],
  { style, columns }: Page,
  widest = Math.max(0, ...rows.map(([left]) => widthOf(left))),
): string[] {
  const room = columns - widest - 4;
  return rows.flatMap(([left, right]) => {
    if (room < 24) return [`  ${style.cyan(left)}`, ...wrap(right, columns - 4).map((line) => `    ${line}`)];
    const [first = "", ...rest] = wrap(right, room);
    return [
      `  ${style.cyan(pad(left, widest))}  ${first}`,
      ...rest.map((line) => " ".repeat(widest + 4) + line),
    ];
  });
}
