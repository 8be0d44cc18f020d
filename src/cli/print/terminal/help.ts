/** Help pages. */

import type { Page } from "../../../present/page.ts";
import { pad, widthOf, wrap } from "../../../present/text/text.ts";
import { type ArgSpec, type ArgSpecs, GLOBAL_ARGS, optionName, placeholder } from "../../args.ts";
import type { AnyCommand } from "../../command.ts";
import { GROUPS } from "../../commands.ts";

export function generalHelp(commands: readonly AnyCommand[], page: Page): string[] {
  const { style, columns } = page;
  const rows = commands.map((command): [string, string] => [usageOf(command), command.summary]);
  const widest = Math.max(...rows.map(([usage]) => widthOf(usage)));
  const ofGroup = (names: readonly string[]): [string, string][] =>
    rows.filter((_, number) => names.includes(commands[number]?.name ?? ""));
  return [
    `${style.bold("rethread")} keeps every conversation you had with a coding agent within reach.`,
    "",
    style.bold("Usage"),
    "  rethread [command] [options]",
    ...Object.entries(GROUPS).flatMap(([title, group]) => [
      "",
      style.bold(title),
      ...twoColumns(ofGroup(Object.keys(group)), page, widest),
    ]),
    "",
    style.bold("Options for all commands"),
    ...optionLines(GLOBAL_ARGS, page),
    "",
    ...wrap(
      "Name a session by any unique start of its id, by its title, or by source:id. More: rethread help <command>",
      columns,
    ),
  ].flatMap((line) => (widthOf(line) > columns ? wrap(line, columns) : [line]));
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
  const short = spec.kind === "flag" && spec.short !== undefined ? `-${spec.short}, ` : "";
  const value = spec.kind === "mode" ? `[=${spec.choices.join("|")}]` : placeholder(spec);
  return `${short}${optionName(key)}${spec.kind === "mode" || value === "" ? value : ` ${value}`}`;
}

const optionLines = (specs: ArgSpecs, page: Page): string[] =>
  twoColumns(
    Object.entries(specs).map(([key, spec]) => [optionUsage(key, spec), helpOf(spec)]),
    page,
  );

const helpOf = (spec: ArgSpec): string =>
  spec.kind === "positional" && spec.choices ? `${spec.help}: ${spec.choices.join(", ")}` : spec.help;

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
