/**
 * Matches a session's folder against a filter: a path matches itself and everything below it; other text matches any
 * part of the path.
 */
import { foldPath, isAbsolutePath } from "./paths.ts";
import { toRepositoryName } from "./repository.ts";
import { placeKey } from "./same-place.ts";

const isWhole = (place: string): boolean => isAbsolutePath(place) || /^[a-z][a-z0-9+.-]*:\/\//.test(place);

export function isAbout(workspace: string | undefined, place: string): boolean {
  if (workspace === undefined) return false;
  if (!isWhole(place)) return foldPath(workspace).includes(foldPath(place));
  const [value, wanted] = [foldPath(placeKey(workspace)), foldPath(placeKey(place))];
  // A folder on another machine is a URI; its path is what people know it by.
  const path = wanted.includes("://") ? value : value.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/, "");
  return path === wanted || path.startsWith(wanted.endsWith("/") ? wanted : `${wanted}/`);
}

/** "login" finds "feature/login", but "main" does not find "maintenance". */
export const isOnBranch = (branch: string | undefined, part: string): boolean =>
  `/${branch?.toLowerCase() ?? ""}/`.includes(`/${part.toLowerCase()}/`);

/** Any part of its name matches, and any address of it: `shop`, `acme/shop`, `git@github.com:acme/shop.git`. */
export function isInRepository(repository: string | undefined, part: string): boolean {
  if (repository === undefined) return false;
  const folded = foldPath(repository);
  return folded.includes(foldPath(part)) || folded === foldPath(toRepositoryName(part) ?? "");
}
