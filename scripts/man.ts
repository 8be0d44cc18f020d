/** The manual page of the command, made from the command table as docs/cli.md is. */
import { type ArgSpec, GLOBAL_ARGS } from "../src/cli/args.ts";
import type { AnyCommand } from "../src/cli/command.ts";
import { ALIASES } from "../src/cli/commands.ts";
import { helpOf, optionUsage, usageOf } from "../src/cli/print/terminal/help.ts";
import { EXITS, NAMING, VARIABLES } from "./reference.ts";

/** Where the build puts it, in the package. */
export const MAN_PAGE = "man/rethread.1";

export function manPage(commands: readonly AnyCommand[], version: string): string {
  const aliases = Object.entries(ALIASES).map(([alias, name]) => `${alias} is ${name}`);
  const lines = [
    `.TH RETHREAD 1 "" "rethread ${text(version)}" "User Commands"`,
    ".SH NAME",
    "rethread \\- find, read, repair and continue every conversation held with a coding agent",
    ".SH SYNOPSIS",
    ".B rethread",
    text("[command] [options]"),
    ".SH DESCRIPTION",
    text(`Data goes to stdout; notes and progress go to stderr. ${NAMING}`),
    ".SH OPTIONS",
    text("For all commands:"),
    ...optionLines(Object.entries(GLOBAL_ARGS)),
    ".SH COMMANDS",
    text(`Other names: ${aliases.join(", ")}, and version is --version.`),
    ...commands.flatMap(commandLines),
    ".SH EXIT STATUS",
    ...EXITS.flatMap(([exit, code, means]) => item(code === "" ? exit : `${exit} ${code}`, means)),
    ".SH ENVIRONMENT",
    ...VARIABLES.flatMap(([name, means]) => item(name, means)),
  ];
  return `${lines.join("\n")}\n`;
}

function commandLines(command: AnyCommand): string[] {
  const entries = Object.entries<ArgSpec>(command.args);
  const positionals = entries.filter(([, spec]) => spec.kind === "positional");
  return [
    `.SS ${text(usageOf(command))}`,
    text(`${command.summary}.${command.about ? ` ${command.about}` : ""}`),
    ...positionals.flatMap(([name, spec]) => item(`<${name}>`, helpOf(spec))),
    ...optionLines(entries.filter(([, spec]) => spec.kind !== "positional")),
    ...command.examples.flatMap(({ command: line, why }) => item(line, why)),
  ];
}

const optionLines = (options: readonly (readonly [string, ArgSpec])[]): string[] =>
  options.flatMap(([key, spec]) => item(optionUsage(key, spec), spec.help));

const item = (term: string, means: string): string[] => [".TP", `.B ${text(term)}`, text(means)];

/** A dash is what is typed; a line that begins with a dot or a quote would be a request; Markdown's marks are left out. */
const text = (words: string): string =>
  words
    .replaceAll("`", "")
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll("\n", " ")
    .replace(/^[.']/, "\\&$&")
    .replaceAll('"', "\\(dq")
    .replace(
      /[^\x20-\x7e]/gu,
      (character) => `\\[u${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}]`,
    );
