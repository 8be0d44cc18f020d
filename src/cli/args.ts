/** The argument specs of commands, and the parser that turns words into typed values. */
import { parseArgs } from "node:util";
import { AppError } from "../model/errors.ts";
import { nearest } from "../model/text/nearest.ts";
import { shellLine } from "../model/text/shell-words.ts";
import { memberOf, setMember } from "../model/values/member.ts";

export type ArgSpec =
  | {
      readonly kind: "positional";
      readonly help: string;
      readonly optional?: boolean;
      /** Takes all the words that are left. */
      readonly rest?: boolean;
      /** A word behind one dash is a word, too, unless it is an option of one letter. */
      readonly dashed?: boolean;
      readonly choices?: readonly string[];
      /** It names a session: at a terminal, one is picked when it is missing. */
      readonly session?: boolean;
      /** What a person at the terminal is asked when it is missing. */
      readonly ask?: string;
    }
  | { readonly kind: "flag"; readonly help: string; readonly short?: string }
  /** A flag that may carry one of these words: `--demo`, `--demo=auto`. */
  | { readonly kind: "mode"; readonly help: string; readonly choices: readonly string[] }
  | { readonly kind: "choice"; readonly help: string; readonly choices: readonly string[] }
  | {
      readonly kind: "text" | "number" | "list";
      readonly help: string;
      readonly value: string;
      readonly short?: string;
      /** What a shell may offer for it. */
      readonly completes?: "repositories" | "models" | "workspaces" | "tags";
    };

export type ArgSpecs = Readonly<Record<string, ArgSpec>>;

type ValueOf<S extends ArgSpec> = S extends { kind: "positional"; rest: true }
  ? readonly string[]
  : S extends { kind: "positional"; optional: true }
    ? string | undefined
    : S extends { kind: "positional" }
      ? string
      : S extends { kind: "flag" }
        ? boolean
        : S extends { kind: "list" }
          ? readonly string[]
          : S extends { kind: "number" }
            ? number | undefined
            : S extends { kind: "choice"; choices: readonly (infer C)[] }
              ? C | undefined
              : S extends { kind: "mode"; choices: readonly (infer C)[] }
                ? C | boolean
                : string | undefined;

export type Values<A extends ArgSpecs> = { readonly [K in keyof A]: ValueOf<A[K]> };

type Value = string | number | boolean | readonly string[] | undefined;

/** Understood by every command, before or after its name. */
export const GLOBAL_ARGS = {
  json: { kind: "flag", help: "print one JSON object and nothing else" },
  demo: {
    kind: "mode",
    choices: ["auto"],
    help: "use the demo sessions instead of yours; with =auto only when no session is found",
  },
  noColor: { kind: "flag", help: "print without colors, as with NO_COLOR=1" },
  noPager: { kind: "flag", help: "print long output to the terminal, without a pager" },
  help: { kind: "flag", short: "h", help: "show how to use the command" },
  version: { kind: "flag", short: "v", help: "print the version" },
} as const satisfies ArgSpecs;

export const optionName = (key: string): string =>
  `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/**
 * Reads the words after the command's name. `command` is only named in messages. With `canAsk`, what a person can be
 * asked for may be missing.
 */
export function parseValues<A extends ArgSpecs>(
  command: string,
  specs: A,
  words: readonly string[],
  canAsk = false,
): Values<A> {
  const byName = new Map(
    Object.entries(specs)
      .filter(([, spec]) => spec.kind !== "positional")
      .map(([key, spec]) => [optionName(key), { key, spec }] as const),
  );
  const positionals = Object.entries(specs).filter(([, spec]) => spec.kind === "positional");
  // Before they are taken one by one.
  const required = positionals.flatMap(([key, spec]) =>
    spec.kind === "positional" && !spec.optional ? [key] : [],
  );
  const values: Record<string, Value> = {};
  for (const [key, spec] of Object.entries(specs)) {
    if (spec.kind === "flag" || spec.kind === "mode") setMember(values, key, false);
    if (spec.kind === "list" || (spec.kind === "positional" && spec.rest && spec.optional))
      setMember(values, key, []);
  }
  const { tokens } = parseArgs({
    args: [...words],
    strict: false,
    allowPositionals: true,
    tokens: true,
    options: Object.fromEntries([...byName].map(([name, { spec }]) => [name.slice(2), toNodeOption(spec)])),
  });
  const shorts = Object.values(specs).map((spec) => `-${shortOf(spec) ?? ""}`);
  const isWord = (word: string): boolean => /^-[^-]/.test(word) && !shorts.includes(word);
  const take = (word: string): void => {
    const [key, spec] = positionals.shift() ?? fail(tooMany(command, word));
    if (spec.kind === "positional" && spec.rest) {
      setMember(values, key, [...((memberOf(values, key) as readonly string[] | undefined) ?? []), word]);
      positionals.unshift([key, spec]);
    } else setMember(values, key, chosen(key, word, spec.kind === "positional" ? spec.choices : undefined));
  };
  let taken = -1;
  for (const token of tokens) {
    const word = words[token.index] ?? "";
    if (token.kind === "option" && isDashed(positionals[0]?.[1]) && isWord(word)) {
      // Each letter of it came as an option of its own.
      if (token.index !== taken) take(word);
      taken = token.index;
    } else if (token.kind === "option") {
      const { key, spec } =
        byName.get(`--${token.name}`) ?? fail(unknownOption(command, token.rawName, byName.keys()));
      // The value is missing: the next option would be taken for it.
      const isForgotten = token.inlineValue === false && byName.has(token.value ?? "");
      const value = isForgotten ? undefined : token.value;
      setMember(values, key, toValue(token.rawName, spec, value, memberOf(values, key)));
    } else if (token.kind === "positional") take(token.value);
  }
  for (const [key, spec] of positionals)
    if (isMissing(spec, memberOf(values, key)) && !(canAsk && isAskable(spec)))
      throw missing(command, key, spec, required);
  return values as Values<A>;
}

const isMissing = (spec: ArgSpec, value: unknown): boolean =>
  spec.kind === "positional" && !spec.optional && value === undefined;

const isAskable = (spec: ArgSpec): boolean =>
  spec.kind === "positional" && (spec.session === true || spec.ask !== undefined);

/** Whether a person has to be asked before the command can run. */
export const lacksValues = (specs: ArgSpecs, values: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(specs).some(([key, spec]) => isMissing(spec, memberOf(values, key)));

const isDashed = (spec: ArgSpec | undefined): boolean => spec?.kind === "positional" && spec.dashed === true;

export const shortOf = (spec: ArgSpec): string | undefined => ("short" in spec ? spec.short : undefined);

function toNodeOption(spec: ArgSpec): { type: "boolean" | "string"; multiple: boolean; short?: string } {
  const short = shortOf(spec);
  const type = spec.kind === "flag" || spec.kind === "mode" ? "boolean" : "string";
  return {
    type,
    multiple: true,
    ...(short !== undefined && { short }),
  };
}

function toValue(name: string, spec: ArgSpec, text: string | undefined, before: Value): Value {
  if (spec.kind === "flag") {
    if (text !== undefined) throw new AppError("usage", `${name} takes no value`, `Use just ${name}`);
    return true;
  }
  if (spec.kind === "mode") return text === undefined ? true : chosen(name, text, spec.choices);
  if (text === undefined || text === "")
    throw new AppError("usage", `${name} needs a value`, `For example: ${name} ${placeholder(spec)}`);
  if (spec.kind === "list") return [...(before as readonly string[]), ...text.split(",").filter(Boolean)];
  if (spec.kind === "choice") return chosen(name, text, spec.choices);
  if (spec.kind === "number") {
    if (!/^\d{1,9}$/.test(text)) {
      const wanted = /^-\d+$/.test(text) ? "a number that is not negative" : "a whole number";
      throw new AppError("usage", `${name} needs ${wanted}, not "${text}"`, `For example: ${name} 10`);
    }
    return Number(text);
  }
  return text;
}

export function placeholder(spec: ArgSpec): string {
  if (spec.kind === "choice") return spec.choices.join("|");
  return "value" in spec ? `<${spec.value}>` : "";
}

function chosen(name: string, text: string, choices: readonly string[] | undefined): string {
  if (!choices || choices.includes(text)) return text;
  throw new AppError(
    "usage",
    `"${text}" is not a valid value for ${name}`,
    meant(text, choices) ?? `Valid values: ${choices.join(", ")}`,
  );
}

/** "Did you mean …?", when something is close enough to be meant. */
export function meant(word: string, known: Iterable<string>): string | undefined {
  const close = nearest(word, known);
  return close === undefined ? undefined : `Did you mean ${close}?`;
}

function unknownOption(command: string, name: string, known: Iterable<string>): AppError {
  return new AppError(
    "usage",
    `${command} has no option ${name}`,
    name === "--yes"
      ? "It never asks: leave out --yes"
      : (meant(name, known) ?? `See its options: ${shellLine`rethread help ${command}`}`),
  );
}
const tooMany = (command: string, word: string): AppError =>
  new AppError(
    "usage",
    `${command} does not expect "${word}"`,
    `Put a title with spaces in quotes; see: ${shellLine`rethread help ${command}`}`,
  );
const missing = (command: string, key: string, spec: ArgSpec, all: readonly string[]): AppError =>
  new AppError(
    "usage",
    `${command} needs ${wanted(key, spec, all)}`,
    spec.kind === "positional" && spec.choices
      ? `Use one of ${spec.choices.join(", ")}; see: ${shellLine`rethread help ${command}`}`
      : `Usage: rethread ${command} ${all.map((each) => `<${each}>`).join(" ")}`,
  );

/** "a session", "an action", "at least one word", "<a> and <b>". */
function wanted(key: string, spec: ArgSpec, all: readonly string[]): string {
  if (spec.kind === "positional" && spec.rest) return `at least one ${key.replace(/s$/, "")}`;
  if (key.length === 1) return all.map((each) => `<${each}>`).join(" and ");
  return `${/^[aeiou]/.test(key) ? "an" : "a"} ${key}`;
}

function fail(error: AppError): never {
  throw error;
}
