/** Looking at files: other programs have tools for it, Codex CLI's models use the shell. */
import type { Act, ActOf } from "../../../model/handoff/act.ts";
import { toShell } from "../../../model/text/shell-words.ts";
import { isAbsolutePath } from "../../../model/values/paths.ts";
import { inFolder } from "../../handoff.ts";

type Look = ActOf<"read"> | ActOf<"search"> | ActOf<"find"> | ActOf<"list">;

/** Nothing where the command would not say the same again. */
export function commandToLook(look: Look, workspace: string | undefined): string | undefined {
  const meant = placed(look, workspace);
  const command = toShell(wordsFor(meant));
  const said = lookOf(command);
  return said && JSON.stringify(sorted(said)) === JSON.stringify(sorted(meant)) ? command : undefined;
}

function placed(look: Look, workspace: string | undefined): Look {
  if (look.kind !== "read" && look.kind !== "list") return look;
  const path = inFolder(look.path, workspace);
  return look.kind === "read" && look.to !== undefined
    ? { ...look, path, from: look.from ?? 1 }
    : { ...look, path };
}

const sorted = (act: Act): unknown => Object.entries(act).toSorted(([a], [b]) => (a < b ? -1 : 1));

function wordsFor(look: Look): string[] {
  const place = "path" in look && look.path !== undefined ? [look.path] : [];
  switch (look.kind) {
    case "read":
      return look.from === undefined && look.to === undefined
        ? ["cat", ...place]
        : ["sed", "-n", `${look.from ?? 1},${look.to ?? "$"}p`, ...place];
    case "list":
      return ["ls", ...place];
    case "find":
      return ["rg", "--files", "-g", look.pattern, ...place];
    case "search": {
      const glob = look.glob === undefined ? [] : ["-g", look.glob];
      return ["rg", "-n", ...glob, ...(look.pattern.startsWith("-") ? ["--"] : []), look.pattern, ...place];
    }
  }
}

/** What a command looks at, where looking is all it does. Relative paths stay in their command: it says where they start. */
export function lookOf(command: string): Look | undefined {
  const [program, ...words] = wordsOf(command) ?? [];
  const [first = "", second = "", third] = words;
  if (program === "cat" && words.length === 1 && isAbsolutePath(first)) return { kind: "read", path: first };
  if (program === "ls" && words.length === 1 && isAbsolutePath(first)) return { kind: "list", path: first };
  if (program === "sed" && words.length === 3 && first === "-n" && isAbsolutePath(third ?? "")) {
    const [, from, to] = /^(\d+),(\d+|\$)p$/.exec(second) ?? [];
    if (from === undefined || third === undefined) return undefined;
    return { kind: "read", path: third, from: Number(from), ...(to !== "$" && { to: Number(to) }) };
  }
  if (program !== "rg") return undefined;
  if (first === "--files" && second === "-g" && third !== undefined && words.length <= 4)
    return { kind: "find", pattern: third, ...placeOf(words[3]) };
  return first === "-n" ? searchOf(words.slice(1)) : undefined;
}

function searchOf(words: readonly string[]): Look | undefined {
  const glob = words[0] === "-g" ? words[1] : undefined;
  const rest = glob === undefined ? words : words.slice(2);
  const [pattern, path, ...more] = rest[0] === "--" ? rest.slice(1) : rest;
  if (pattern === undefined || more.length > 0) return undefined;
  if (rest[0] !== "--" && pattern.startsWith("-")) return undefined;
  return { kind: "search", pattern, ...placeOf(path), ...(glob !== undefined && { glob }) };
}

const placeOf = (path: string | undefined) => (path === undefined ? {} : { path });

/** The words of a command that is nothing but plain and quoted words. */
function wordsOf(command: string): string[] | undefined {
  const words = (command.match(/(?:'[^']*'|\\'|[^\s'])+/g) ?? []).map((word) =>
    word.replace(/'([^']*)'|\\'/g, (_, inside: string | undefined) => inside ?? "'"),
  );
  return toShell(words) === command ? words : undefined;
}
