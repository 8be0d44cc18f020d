/** Replaces home folders by ~, because the path of a home folder names its owner. */

import { toPatternSource } from "../text/escape-regexp.ts";
import { hasDrive, segmentsOf } from "./windows-paths.ts";

/** Homes are found where people keep them, and wherever this machine says that its own is. */
const HOME =
  /^(?:\/(?:home|Users|var\/home|mnt\/[a-z]\/Users)\/[^/\\]+|[A-Za-z]:[\\/]Users[\\/][^\\/]+|\/root)(?=[\\/]|$)/;

export const homeOf = (path: string): string | undefined => HOME.exec(path)?.[0];

/** Takes any text, JSON inside JSON and URIs included, and says which home it wrote as ~. */
export function createHomeHider(
  homes: Iterable<string>,
): (text: string, hidden: (home: string) => void) => string {
  const patterns = [...new Set(homes)].flatMap((home) =>
    toPatterns(home).map((pattern) => ({ home, pattern })),
  );
  return (text, hidden) =>
    patterns.reduce(
      (changed, { home, pattern }) =>
        changed.replace(pattern, () => {
          hidden(home);
          return "~";
        }),
      text,
    );
}

function toPatterns(home: string): RegExp[] {
  const [drive = "", ...folders] = segmentsOf(home).filter((part, i) => part !== "" || i === 0);
  if (folders.length === 0) return [];
  const isWindows = hasDrive(home);
  const start = isWindows ? `${drive.charAt(0)}(?::|%3A)` : "";
  const slash = isWindows ? String.raw`(?:\\{1,8}|/)` : String.raw`\\{0,4}/`;
  const path = start + folders.map((folder) => slash + toPatternSource(folder)).join("");
  // Some programs name a folder after a path and write dashes for what is no letter.
  const dashed = [drive, ...folders].join("/").replace(/[^A-Za-z0-9]/g, "-");
  // A single folder, as /root, is also a folder of other places.
  const alone = folders.length === 1 ? String.raw`(?:(?<![\w.-])|(?<=\\[nrt]))` : "";
  return [
    new RegExp(`${alone}${path}(?![\\w-])`, isWindows ? "gi" : "g"),
    new RegExp(`(?<=[/\\\\])${toPatternSource(dashed)}(?![A-Za-z0-9])`, isWindows ? "gi" : "g"),
  ];
}
