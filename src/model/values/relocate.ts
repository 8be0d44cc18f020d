/** Rewrites paths to a folder that was moved, and to everything below it. */

import { toPatternSource } from "../text/escape-regexp.ts";
import { endsWithSeparator, hasDrive, isWindowsPath, segmentsOf, startsWithSeparator } from "./paths.ts";

/** Both as they are written, without a separator at the end. */
export interface Relocation {
  readonly from: string;
  readonly to: string;
  /** Asked about the new place of every path below the old folder; those that it refuses stay as they are. */
  readonly accepts?: (path: string) => boolean;
}

/** The same place below the new folder; nothing for what does not lie below the old one. */
export function relocate(path: string, { from, to, accepts }: Relocation): string | undefined {
  const moved = placeBelow(path, { from, to });
  return moved === undefined || accepts?.(moved) === false ? undefined : moved;
}

function placeBelow(path: string, { from, to }: Relocation): string | undefined {
  const isFolded = isWindowsPath(from);
  const fold = (text: string): string => (isFolded ? text.toLowerCase().replaceAll("/", "\\") : text);
  if (fold(path.slice(0, from.length)) !== fold(from)) return undefined;
  const tail = path.slice(from.length);
  if (tail !== "" && !(isFolded ? startsWithSeparator(tail) : tail.startsWith("/"))) return undefined;
  // Where such a path leads depends on more than its beginning.
  if (segmentsOf(tail).includes("..")) return undefined;
  if (tail === "") return to;
  // The root of a disk ends in a separator, which the tail brings along.
  const top = endsWithSeparator(to) ? to.slice(0, -1) : to;
  if (isFolded === isWindowsPath(to)) return top + tail;
  return top + (isFolded ? tail.replaceAll("\\", "/") : tail.replaceAll("/", "\\"));
}

/** A path, or the `file:` address of one. */
export function relocateAny(place: string, relocation: Relocation): string | undefined {
  if (!place.startsWith("file://")) return relocate(place, relocation);
  const path = pathOf(place);
  const moved = path === undefined ? undefined : relocate(path, relocation);
  if (moved === undefined) return undefined;
  const drive = /%3a/i.test(place) ? "%3A" : ":";
  const encoded = segmentsOf(moved).map(encodeURIComponent).join("/").replace("%3A", drive);
  return `file://${isWindowsPath(moved) ? "/" : ""}${encoded}`;
}

function pathOf(uri: string): string | undefined {
  try {
    const path = decodeURIComponent(uri.slice("file://".length));
    return path.startsWith("/") && hasDrive(path.slice(1)) ? path.slice(1) : path;
  } catch {
    return undefined; // an address that nobody can read names no place
  }
}

/** A stretch of a text, and what stands there instead. */
export interface Substitution {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Finds where a text, JSON inside JSON included, names the folder or something below it. A longer name that only begins
 * alike is another folder.
 */
export function createMentionFinder({ from, to }: Relocation): (text: string) => Substitution[] {
  const isFolded = isWindowsPath(from);
  const names = segmentsOf(from).map(toPatternSource);
  // A letter and a colon are a drive only where a path begins with them.
  const isDrive = isFolded && names.length === 1;
  // Each JSON around it doubles the backslashes.
  const path = names.join(isFolded ? String.raw`(?:\\{1,8}|/)` : "/");
  const pattern = new RegExp(
    String.raw`(?:(?<![\p{L}\p{N}_.~/\\-])|(?<=\\[nrt])|(?<=file:\/\/\/?))${path}${isDrive ? String.raw`(?=[\\/])` : String.raw`(?![\p{L}\p{N}_-]|\.[\p{L}\p{N}_])`}`,
    isFolded ? "giu" : "gu",
  );
  return (text) =>
    [...text.matchAll(pattern)].map((match) => {
      const [found] = match;
      // As it was escaped there; a slash needs no escaping, and Windows takes it, too.
      const separator = /\\+|\//.exec(found.slice(2))?.[0] ?? "/";
      const spelled = isWindowsPath(to) ? to.replaceAll("\\", separator) : to;
      return { start: match.index, end: match.index + found.length, text: spelled };
    });
}
