/** Generates shell completion scripts from the command table. */
import { type ArgSpec, type ArgSpecs, GLOBAL_ARGS, optionName } from "../../args.ts";
import type { AnyCommand } from "../../command.ts";

export const SHELLS = ["bash", "zsh", "fish"] as const;

interface Option {
  readonly name: string;
  readonly help: string;
  readonly takesValue: boolean;
  /** Words the value may be, as far as they are known beforehand. */
  readonly values: readonly string[];
}

interface Entry {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly Option[];
  /** Words that may stand after the command. */
  readonly words: readonly string[];
}

export function completionScript(
  shell: string,
  commands: readonly AnyCommand[],
  sources: readonly string[],
): string {
  const names = commands.map((command) => command.name);
  const entries = commands.map(
    (command): Entry => ({
      name: command.name,
      summary: command.summary,
      options: toOptions({ ...command.args, ...GLOBAL_ARGS }, sources),
      words:
        command.name === "help"
          ? names
          : Object.values(command.args).flatMap((spec) =>
              spec.kind === "positional" ? (spec.choices ?? []) : [],
            ),
    }),
  );
  return { bash, zsh, fish }[shell as (typeof SHELLS)[number]](entries);
}

function toOptions(specs: ArgSpecs, sources: readonly string[]): Option[] {
  return Object.entries(specs)
    .filter(([, spec]) => spec.kind !== "positional")
    .map(([key, spec]) => ({
      name: optionName(key),
      help: spec.help,
      takesValue: !["flag", "mode"].includes(spec.kind),
      values: valuesOf(key, spec, sources),
    }));
}

function valuesOf(key: string, spec: ArgSpec, sources: readonly string[]): readonly string[] {
  if (spec.kind === "choice") return spec.choices;
  return key === "source" ? sources : [];
}

const valueOptions = (entries: readonly Entry[]): Option[] => {
  const all = entries.flatMap((entry) => entry.options).filter((option) => option.takesValue);
  return [...new Map(all.map((option) => [option.name, option])).values()];
};

function bash(entries: readonly Entry[]): string {
  return `_rethread() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" command="" each
  for each in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $each == -* ]] || { command=$each; break; }
  done
  case $before in
${valueOptions(entries)
  .map(
    ({ name, values }) =>
      `    ${name}) COMPREPLY=(${values.length > 0 ? `$(compgen -W "${values.join(" ")}" -- "$word")` : ""}); return ;;`,
  )
  .join("\n")}
  esac
  case $command in
    "") COMPREPLY=($(compgen -W "${entries.map((entry) => entry.name).join(" ")} ${globalNames}" -- "$word")) ;;
${entries
  .map(
    (entry) =>
      `    ${entry.name}) COMPREPLY=($(compgen -W "${[...entry.words, ...entry.options.map((option) => option.name)].join(" ")}" -- "$word")) ;;`,
  )
  .join("\n")}
  esac
}
complete -o default -F _rethread rethread
`;
}

function zsh(entries: readonly Entry[]): string {
  const commands = entries.map((entry) => `    ${quote(`${entry.name}:${entry.summary}`)}`).join("\n");
  const cases = entries.map((entry) => {
    const specs = entry.options.map((option) =>
      quote(
        `*${option.name}[${option.help.replace(/[[\]:]/g, "\\$&")}]${option.takesValue ? `:value:${option.values.length > 0 ? `(${option.values.join(" ")})` : "_files"}` : ""}`,
      ),
    );
    const rest = quote(entry.words.length > 0 ? `*:word:(${entry.words.join(" ")})` : "*: :");
    return `    ${entry.name}) _arguments ${[...specs, rest].join(" ")} ;;`;
  });
  return `_rethread() {
  local -a commands=(
${commands}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${cases.join("\n")}
  esac
}
compdef _rethread rethread
`;
}

function fish(entries: readonly Entry[]): string {
  const lines = ["complete -c rethread -f"];
  for (const entry of entries) {
    lines.push(`complete -c rethread -n __fish_use_subcommand -a ${entry.name} -d ${quote(entry.summary)}`);
    const seen = `-n '__fish_seen_subcommand_from ${entry.name}'`;
    if (entry.words.length > 0) lines.push(`complete -c rethread ${seen} -a ${quote(entry.words.join(" "))}`);
    for (const option of entry.options) {
      const values = option.takesValue
        ? ` -x${option.values.length > 0 ? ` -a ${quote(option.values.join(" "))}` : ""}`
        : "";
      lines.push(`complete -c rethread ${seen} -l ${option.name.slice(2)}${values} -d ${quote(option.help)}`);
    }
  }
  return `${lines.join("\n")}\n`;
}

const globalNames = Object.keys(GLOBAL_ARGS).map(optionName).join(" ");
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
