/**
 * Paths as text, of this machine or another one: sessions of Windows are read on Linux and the other way around. So
 * mostly the path itself tells how it is written, not the system that we run on. No other file decides that.
 */
import { type PlatformPath, posix, sep, win32 } from "node:path";
import { trimEndOf } from "../text/trim-end.ts";
import { hasDrive, isWindowsPath, SEPARATOR, segmentsOf } from "./windows-paths.ts";

export { hasDrive, isWindowsPath, segmentsOf };

/** The functions for paths of such a machine. */
export const pathsOf = (platform: NodeJS.Platform): PlatformPath => (platform === "win32" ? win32 : posix);

/** The functions for such a path, by the drive or share that it starts with. */
export const pathsLike = (path: string): PlatformPath => (isWindowsPath(path) ? win32 : posix);

/** The functions that keep the separators of such a path: `C:/work` stays with slashes, as some programs write it. */
export const pathsSpelledAs = (path: string): PlatformPath =>
  path.includes("\\") && !path.includes("/") ? win32 : posix;

/** On either system. */
export const isAbsolutePath = (path: string): boolean => /^([A-Za-z]:)?[\\/]/.test(path);

/** The root of a disk, with or without its separator, or nothing at all. */
export const isRootPath = (path: string): boolean => /^([A-Za-z]:)?[\\/]?$/.test(path);

export const hasSeparator = (text: string): boolean => SEPARATOR.test(text);
export const startsWithSeparator = (text: string): boolean => SEPARATOR.test(text.charAt(0));
export const endsWithSeparator = (text: string): boolean => SEPARATOR.test(text.slice(-1));
export const withoutEndSeparators = (path: string): string => trimEndOf(path, "/\\");

/** The last name in a path, whatever stands behind it. */
export const baseName = (path: string): string => segmentsOf(path).filter(Boolean).at(-1) ?? path;

/** A path at its last separator. */
export function splitLast(path: string): { folder: string; name: string } | undefined {
  const at = Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\"));
  return at < 0 ? undefined : { folder: path.slice(0, at), name: path.slice(at + 1) };
}

/** A path of this machine as archives write it: elsewhere a backslash is part of a name. */
export const withSlashes = (path: string): string => (sep === "\\" ? path.replaceAll("\\", "/") : path);

/** Whether two names that differ only in case are one there. */
export const foldsCase = (platform: NodeJS.Platform): boolean =>
  platform === "win32" || platform === "darwin";

/** Windows and macOS fold case in paths, and separators differ. */
export const foldPath = (path: string): string => trimEndOf(path.toLowerCase().replaceAll("\\", "/"), "/", 1);

/** The way to a path from a folder that it lies in, both as one machine spells them; nothing where it lies elsewhere. */
export function wayFrom(folder: string, path: string): string | undefined {
  const root = withoutEndSeparators(folder);
  const rest = path.startsWith(root) ? path.slice(root.length) : "";
  return rest.length > 1 && startsWithSeparator(rest) ? rest.slice(1) : undefined;
}

/** A folder whose name only begins as another's does is not below it. */
export const isAtOrBelow = (path: string, folder: string): boolean =>
  path === folder || wayFrom(folder, path) !== undefined;
