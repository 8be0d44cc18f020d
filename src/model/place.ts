/** Does the work belong to a place? A folder means itself and all below it; anything else is a part of the path. */
import { trimEndOf } from "./trim-end.ts";

const isAbsolute = (path: string): boolean => /^([/\\]|[A-Za-z]:[/\\]|[a-z][a-z0-9+.-]*:\/\/)/.test(path);

/** Windows and macOS fold case in paths, and separators differ. */
export const foldPath = (path: string): string => trimEndOf(path.toLowerCase().replaceAll("\\", "/"), "/", 1);

export function isAbout(workspace: string | undefined, place: string): boolean {
  if (workspace === undefined) return false;
  const [value, wanted] = [foldPath(workspace), foldPath(place)];
  if (!isAbsolute(place)) return value.includes(wanted);
  // A folder on another machine is a URI; its path is what people know it by.
  const path = wanted.includes("://") ? value : value.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/, "");
  return path === wanted || path.startsWith(wanted.endsWith("/") ? wanted : `${wanted}/`);
}

/** The way to a path from a folder that it lies in, both as one machine spells them; nothing where it lies elsewhere. */
export function wayFrom(folder: string, path: string): string | undefined {
  const root = trimEndOf(folder, "/\\");
  const rest = path.startsWith(root) ? path.slice(root.length) : "";
  return /^[/\\]./.test(rest) ? rest.slice(1) : undefined;
}

/** A folder whose name only begins as another's does is not below it. */
export const isAtOrBelow = (path: string, folder: string): boolean =>
  path === folder || wayFrom(folder, path) !== undefined;

/** "login" finds "feature/login", but "main" does not find "maintenance". */
export const isOnBranch = (branch: string | undefined, part: string): boolean =>
  `/${branch?.toLowerCase() ?? ""}/`.includes(`/${part.toLowerCase()}/`);

/** Nobody remembers how a repository is spelled: any part of `owner/name` will do. */
export const isInRepository = (repository: string | undefined, part: string): boolean =>
  repository !== undefined && foldPath(repository).includes(foldPath(part));
