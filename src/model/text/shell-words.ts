/**
 * Quotes commands for the shell. Every printed command with an id, a path or a text is built here. The quoting is that
 * of POSIX shells; PowerShell reads it the same way as long as a word has no quote.
 */
import { isWindowsPath } from "../values/windows-paths.ts";

export const toShell = (words: readonly string[]): string => words.map(quoted).join(" ");

/** A line with every value in it quoted: shellLine`rethread show ${key}`. */
export const shellLine = (text: TemplateStringsArray, ...values: readonly (string | number)[]): string =>
  text.reduce((line, piece, index) => line + quoted(String(values[index - 1] ?? "")) + piece);

/**
 * A line that runs a command in a folder, wherever it is pasted. A folder of Windows gets a line for PowerShell, whose
 * old versions have no `&&`.
 */
export function shellLineIn(
  folder: string | undefined,
  command: string,
  vars: Readonly<Record<string, string>> = {},
): string {
  const all = Object.entries(vars);
  if ([folder ?? "", ...all.map(([, value]) => value)].some(isWindowsPath))
    return [
      ...(folder === undefined ? [] : [`cd ${inPowerShell(folder)}`]),
      ...all.map(([name, value]) => `$env:${name} = ${inPowerShell(value)}`),
      command,
    ].join("; ");
  const set = all.map(([name, value]) => `${name}=${quoted(value)} `).join("");
  return `${folder === undefined ? "" : `cd ${quotedPath(folder)} && `}${set}${command}`;
}

/** A shell does not find the home folder behind a quoted `~`. */
const quotedPath = (path: string): string =>
  path.startsWith("~/") ? `~/${quoted(path.slice(2))}` : quoted(path);

const inPowerShell = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Nothing in it means anything to a shell. */
const PLAIN = /^[\w@%+:,./-][\w@%+=:,./-]*$/;
/** Terminals obey these, or do not show them; a line feed between quotes is harmless. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
const UNSEEN = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]+/;

function quoted(word: string): string {
  if (PLAIN.test(word)) return word;
  const parts = word.split(new RegExp(`(${UNSEEN.source})`));
  return parts.map((part, index) => (index % 2 === 1 ? spelled(part) : inQuotes(part))).join("") || "''";
}

const inQuotes = (text: string): string => (text === "" ? "" : `'${text.replaceAll("'", "'\\''")}'`);

/** By the numbers of their bytes, which every shell's printf turns back into them. */
const spelled = (text: string): string =>
  `"$(printf '${Array.from(new TextEncoder().encode(text), (byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("")}')"`;
