/** Generates shell completion scripts from the command table. */
import { COMPLETE } from "../../../app/self.ts";
import { memberOf } from "../../../model/values/member.ts";
import { type ArgSpec, type ArgSpecs, GLOBAL_ARGS, optionName } from "../../args.ts";
import type { AnyCommand } from "../../command.ts";
import { ALIASES } from "../../commands.ts";

export const SHELLS = ["bash", "zsh", "fish"] as const;

interface Option {
  readonly name: string;
  readonly help: string;
  readonly takesValue: boolean;
  /** Words the value may be, as far as they are known beforehand. */
  readonly values: readonly string[];
  /** What to ask the command for instead. */
  readonly asks: string | undefined;
}

interface Entry {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly Option[];
  /** Words that may stand after the command. */
  readonly words: readonly string[];
  readonly takesSession: boolean;
}

export function completionScript(
  shell: string,
  commands: readonly AnyCommand[],
  sources: readonly string[],
): string {
  const names = [...commands.map((command) => command.name), ...Object.keys(ALIASES)];
  const byName = new Map(commands.map((command) => [command.name, command]));
  const entries = names.flatMap((name): Entry[] => {
    const command = byName.get(memberOf(ALIASES, name) ?? name);
    return command ? [toEntry(name, command, names, sources)] : [];
  });
  return { bash, zsh, fish }[shell as (typeof SHELLS)[number]](entries);
}

function toEntry(
  name: string,
  command: AnyCommand,
  names: readonly string[],
  sources: readonly string[],
): Entry {
  const positionals = Object.values(command.args).filter((spec) => spec.kind === "positional");
  return {
    name,
    summary: command.summary,
    options: toOptions({ ...command.args, ...GLOBAL_ARGS }, sources),
    words: command.name === "help" ? names : positionals.flatMap(({ choices = [] }) => choices),
    takesSession: positionals.some(({ session }) => session),
  };
}

function toOptions(specs: ArgSpecs, sources: readonly string[]): Option[] {
  return Object.entries(specs)
    .filter(([, spec]) => spec.kind !== "positional")
    .map(([key, spec]) => ({
      name: optionName(key),
      help: spec.help,
      takesValue: !["flag", "mode"].includes(spec.kind),
      values: valuesOf(key, spec, sources),
      asks: "completes" in spec ? spec.completes : undefined,
    }));
}

function valuesOf(key: string, spec: ArgSpec, sources: readonly string[]): readonly string[] {
  if (spec.kind === "choice") return spec.choices;
  return key === "source" ? sources : [];
}

const valueOptions = (entries: readonly Entry[]): Option[] => {
  const all = entries
    .flatMap((entry) => entry.options)
    .filter((option) => option.takesValue && option.asks === undefined);
  return [...new Map(all.map((option) => [option.name, option])).values()];
};

/**
 * Titles are only shown, never put on the line: bash gets them as part of the candidates where there are several, so that
 * what it adds to the line is what their ids have in common. Folders are quoted: bash puts its candidates on the line as
 * they are, and a name such as `a;b` would be two commands there.
 */
function bash(entries: readonly Entry[]): string {
  return `_rethread_ask() {
  local value about demo="" widest=0
  local -a values=() abouts=()
  for value in "\${COMP_WORDS[@]}"; do [[ $value == --demo ]] && demo=--demo; done
  while IFS=$'\\t' read -r value about; do
    values+=("$value")
    abouts+=("$about")
    (( \${#value} > widest )) && widest=\${#value}
  done < <(rethread ${COMPLETE} "$1" "$word" $demo 2>/dev/null)
  if (( \${#values[@]} > 1 )) && [[ \${COMP_TYPE:-9} != 37 && \${COMP_TYPE:-9} != 42 ]]; then
    local at
    for at in "\${!values[@]}"; do
      if [[ -n \${abouts[at]} ]]; then
        printf -v value "%-\${widest}s  %s" "\${values[at]}" "\${abouts[at]}"
        values[at]=$value
      fi
    done
  fi
  COMPREPLY+=("\${values[@]}")
}
_rethread_folders() {
  local folder home
  while IFS= read -r folder; do
    home=""
    [[ $folder == "~/"* ]] && home="~/"
    printf -v folder '%s%q' "$home" "\${folder#"$home"}"
    COMPREPLY+=("$folder")
  done < <(compgen -d -- "$word")
}
_rethread() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" command="" each
  COMPREPLY=()
  for each in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $each == -* ]] || { command=$each; break; }
  done
  case "$command $before" in
${entries
  .flatMap((entry) =>
    entry.options.flatMap(({ name, asks }) =>
      asks === undefined
        ? []
        : [
            `    "${entry.name} ${name}") _rethread_ask ${asks}; ${asks === "workspaces" ? "_rethread_folders; " : ""}return ;;`,
          ],
    ),
  )
  .join("\n")}
  esac
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
      `    ${entry.name}) COMPREPLY=($(compgen -W "${[...entry.words, ...entry.options.map((option) => option.name)].join(" ")}" -- "$word"))${entry.takesSession ? "; [[ $word == -* ]] || _rethread_ask sessions" : ""} ;;`,
  )
  .join("\n")}
  esac
}
complete -o default -o nosort -F _rethread rethread 2>/dev/null || complete -o default -F _rethread rethread
`;
}

function zsh(entries: readonly Entry[]): string {
  const commands = entries.map((entry) => `    ${quote(`${entry.name}:${entry.summary}`)}`).join("\n");
  const cases = entries.map((entry) => {
    const specs = entry.options.map((option) =>
      quote(
        `*${option.name}[${option.help.replace(/[[\]:]/g, "\\$&")}]${option.takesValue ? `:value:${zshValues(option)}` : ""}`,
      ),
    );
    const rest = [
      ...(entry.words.length > 0
        ? [quote(`${entry.takesSession ? "1" : "*"}:word:(${entry.words.join(" ")})`)]
        : []),
      ...(entry.takesSession
        ? [quote("*:session:_rethread_sessions")]
        : entry.words.length > 0
          ? []
          : [quote("*: :")]),
    ];
    return `    ${entry.name}) _arguments ${[...specs, ...rest].join(" ")} ;;`;
  });
  return `_rethread_ask() {
  local value about
  local -a found demo
  (( \${words[(I)--demo]} )) && demo=(--demo)
  while IFS=$'\\t' read -r value about; do
    found+=("\${value//:/\\\\:}:$about")
  done < <(rethread ${COMPLETE} $1 "$PREFIX" $demo 2>/dev/null)
  _describe -V $1 found
}
_rethread_sessions() { _rethread_ask sessions }
_rethread_repositories() { _rethread_ask repositories }
_rethread_models() { _rethread_ask models }
_rethread_tags() { _rethread_ask tags }
_rethread_workspaces() { _rethread_ask workspaces; _files -/ }
_rethread() {
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

function zshValues({ asks, values }: Option): string {
  if (asks !== undefined) return `_rethread_${asks}`;
  return values.length > 0 ? `(${values.join(" ")})` : "_files";
}

function fish(entries: readonly Entry[]): string {
  const lines = [
    "function __rethread_ask",
    "  set -l demo",
    "  contains -- --demo (commandline -opc); and set demo --demo",
    "  set -l typed (commandline -ct)",
    // In quotation marks, nothing is still a word.
    `  rethread ${COMPLETE} $argv[1] "$typed" $demo 2>/dev/null`,
    "end",
    "complete -c rethread -f",
  ];
  for (const entry of entries) {
    lines.push(`complete -c rethread -n __fish_use_subcommand -a ${entry.name} -d ${quote(entry.summary)}`);
    const seen = `-n '__fish_seen_subcommand_from ${entry.name}'`;
    if (entry.words.length > 0) lines.push(`complete -c rethread ${seen} -a ${quote(entry.words.join(" "))}`);
    if (entry.takesSession) lines.push(`complete -c rethread ${seen} -k -a '(__rethread_ask sessions)'`);
    for (const option of entry.options)
      lines.push(
        `complete -c rethread ${seen} -l ${option.name.slice(2)}${fishValues(option)} -d ${quote(option.help)}`,
      );
  }
  return `${lines.join("\n")}\n`;
}

function fishValues({ takesValue, asks, values }: Option): string {
  if (!takesValue) return "";
  if (asks === "workspaces")
    return " -x -a '(__rethread_ask workspaces; __fish_complete_directories (commandline -ct))'";
  if (asks !== undefined) return ` -x -a '(__rethread_ask ${asks})'`;
  return ` -x${values.length > 0 ? ` -a ${quote(values.join(" "))}` : ""}`;
}

const globalNames = Object.keys(GLOBAL_ARGS).map(optionName).join(" ");
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
