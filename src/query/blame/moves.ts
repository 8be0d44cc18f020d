/** The moves of files and folders in shell commands, and the names that a file had before them. */
import { isAbsolutePath, isWindowsPath, pathsLike, wayFrom } from "../../model/values/paths.ts";
import type { MoveCommand } from "../../store/file-edits.ts";

export interface Move {
  readonly from: string;
  readonly to: string;
  /** ISO 8601. */
  readonly at?: string;
}

/** A name that a file had, until then. */
export interface FormerName {
  readonly path: string;
  readonly until?: string;
}

/** So much of a command is kept in the store: what is longer is cut in its last words. */
const LABEL = 200;

/** Words that a shell would expand say nothing here. */
const EXPANDED = /[$*?`{}]/;

export function movesIn({ command, workspace, at }: MoveCommand): Move[] {
  if (isWindowsPath(workspace)) return [];
  const { resolve, join, basename } = pathsLike(workspace);
  const commands = commandsIn(command);
  if (command.length >= LABEL) commands.pop();
  let folder = workspace;
  const moves: Move[] = [];
  for (const words of commands) {
    if (words[0] === "cd" && words[1] !== undefined && !EXPANDED.test(words[1]))
      folder = resolve(folder, words[1]);
    const operands = operandsOfMove(words);
    const target = operands?.words.pop();
    if (!operands || target === undefined || operands.words.length === 0) continue;
    const start = resolve(folder, operands.folder);
    const to = resolve(start, target);
    const isFolder = operands.words.length > 1 || target.endsWith("/");
    for (const word of operands.words)
      moves.push({
        from: resolve(start, word),
        to: isFolder ? join(to, basename(word)) : to,
        ...(at !== undefined && { at }),
      });
  }
  return moves;
}

/** What follows `mv` or `git mv`, without options; nothing for other commands, and where a word is expanded first. */
function operandsOfMove(words: readonly string[]): { folder: string; words: string[] } | undefined {
  const isGit = words[0] === "git";
  const isElsewhere = isGit && words[1] === "-C";
  const folder = (isElsewhere ? words[2] : undefined) ?? ".";
  const [verb, ...rest] = words.slice(isElsewhere ? 3 : isGit ? 1 : 0);
  if (verb !== "mv") return undefined;
  const end = rest.includes("--") ? rest.indexOf("--") : rest.length;
  const named = [...rest.slice(0, end).filter((word) => !word.startsWith("-")), ...rest.slice(end + 1)];
  return [folder, ...named].some((word) => EXPANDED.test(word)) ? undefined : { folder, words: named };
}

/** The words of each command in a line, without their quotes. */
function commandsIn(line: string): string[][] {
  const commands: string[][] = [[]];
  for (const [, double, single, plain, end] of line.matchAll(WORD)) {
    if (end !== undefined) commands.push([]);
    else commands.at(-1)?.push(single ?? (double ?? plain ?? "").replace(/\\(.)/g, "$1"));
  }
  return commands.filter((words) => words.length > 0);
}
const WORD = /"((?:[^"\\]|\\.)*)"|'([^']*)'|((?:[^\s;&|"'\\]|\\.)+)|([;&|\n]+)/g;

/** A folder that moved took its files along; into a folder that was there, a move keeps the last name. */
export function namesBefore(path: string, moves: readonly Move[]): FormerName[] {
  const { basename, dirname, join } = pathsLike(path);
  return moves.flatMap(({ from, to, at }) => {
    const way = path === to ? "" : wayFrom(to, path);
    if (way === undefined || !isAbsolutePath(from)) return [];
    const inside = `${way}/`.startsWith(`${basename(from)}/`) ? [join(dirname(from), way)] : [];
    const names = way === "" ? [from] : [join(from, way), ...inside];
    return names.map((name) => ({ path: name, ...(at !== undefined && { until: at }) }));
  });
}
