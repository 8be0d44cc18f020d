/** Finds a program on PATH. */

import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import { hasSeparator } from "../../model/values/paths.ts";

export interface FoundProgram {
  readonly path: string;
  /** Changes when another version takes its place. */
  readonly stamp: string;
}

/** Nothing when it is nowhere on the path, or may not be run. A name with a slash in it is a path of its own. */
export function findProgram(
  name: string,
  folder: string,
  vars: Readonly<Record<string, string | undefined>>,
): FoundProgram | undefined {
  const isPath = isAbsolute(name) || hasSeparator(name);
  const places = isPath
    ? [resolve(folder, name)]
    : (vars.PATH ?? "")
        .split(delimiter)
        .filter(Boolean)
        .map((at) => join(at, name));
  const endings = process.platform === "win32" ? ["", ".cmd", ".exe"] : [""];
  for (const place of places)
    for (const ending of endings) {
      const found = lookAtProgram(place + ending);
      if (found) return found;
    }
  return undefined;
}

function lookAtProgram(path: string): FoundProgram | undefined {
  try {
    accessSync(path, constants.X_OK);
    const { size, mtimeMs, ino } = statSync(path);
    if (!statSync(path).isFile()) return undefined;
    return { path, stamp: `${realpathSync(path)} ${size} ${mtimeMs} ${ino}` };
  } catch {
    return undefined; // not there, or not for us: the next place may have it
  }
}
