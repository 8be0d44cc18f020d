/** Tells folders of other machines from those of this one, by what this one has at the top of its disks. */
import { foldPath, isWindowsPath, segmentsOf } from "./paths.ts";
import { nameHere } from "./same-place.ts";
import { placeOfFolder } from "./workspace-place.ts";

export interface OwnTops {
  readonly platform: NodeJS.Platform;
  /** `/usr`, `/home/me`, `c:`: the folders at the top, and in those of them that have one for each user or disk. */
  readonly tops: readonly string[];
}

/** In these, the folder below says whose they are, or on which disk. */
export const SHARED_TOPS: ReadonlySet<string> = new Set(["home", "Users", "mnt", "media", "Volumes"]);

/** A folder that is gone, but would be here, is not elsewhere. */
export function isElsewhere(folder: string, { platform, tops }: OwnTops): boolean {
  const here = nameHere(folder, platform) ?? folder;
  if (placeOfFolder(here).kind === "remote" || /^[\\/]{2}/.test(here)) return true;
  const isWindows = platform === "win32";
  if (isWindowsPath(here) !== isWindows) return true;
  const [first = "", second = "", third = ""] = segmentsOf(here);
  if (isWindows) return !tops.includes(first.toLowerCase());
  return (
    second !== "" &&
    !tops.includes(SHARED_TOPS.has(second) && third !== "" ? `/${second}/${third}` : `/${second}`)
  );
}

/**
 * The same, where the path itself says of what kind of machine it is. Others may be of this one: a disk that is not plugged
 * in, or a folder that is gone with all around it.
 */
export function isOfOtherSystem(folder: string, own: OwnTops): boolean {
  if (placeOfFolder(folder).kind !== "folder" || !isElsewhere(folder, own)) return false;
  if (isWindowsPath(folder) || own.platform === "win32" || /^[\\/]{2}/.test(folder)) return true;
  const others = own.platform === "darwin" ? "home" : "Users";
  return new RegExp(`^/(?:mnt/[a-z]|workspaces|${others})(?:/|$)`).test(folder);
}

/** A place in a repository, as it is known here. */
export interface ProjectPlace extends OwnTops {
  readonly repository: string;
  /** From the root of the work tree, with slashes; nothing for that itself. */
  readonly way: string;
}

/** A folder of another machine that is a clone of the same repository, and that place in it or below. */
export function isOfProject(
  folder: string | undefined,
  repository: string | undefined,
  place: ProjectPlace,
): boolean {
  if (folder === undefined || repository === undefined) return false;
  if (foldPath(repository) !== foldPath(place.repository) || !isElsewhere(folder, place)) return false;
  // Where the root is on another machine is not known, so the way may begin anywhere.
  return place.way === "" || `${foldPath(folder)}/`.includes(`/${foldPath(place.way)}/`);
}
