/** Homes in which symbolic links lead to what is elsewhere, and what is to be seen through such links. */
import { execFileSync } from "node:child_process";
import { hash } from "node:crypto";
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { dirname, join } from "node:path";

/** What is at a path goes elsewhere, and a link leads there. Gives back the path of the link. */
export function moveBehindLink(path: string, to: string, target = to): string {
  mkdirSync(dirname(to), { recursive: true });
  try {
    renameSync(path, to);
  } catch {
    execFileSync("cp", ["-a", path, to]); // it is on another disk
    rmSync(path, { recursive: true });
  }
  symlinkSync(target, path);
  return path;
}

/** Every link below some folders, with its target. */
export function linksBelow(...folders: string[]): Record<string, string> {
  const found: Record<string, string> = {};
  const walk = (path: string): void => {
    const stats = lstatSync(path);
    if (stats.isSymbolicLink()) found[path] = readlinkSync(path);
    else if (stats.isDirectory()) for (const name of readdirSync(path)) walk(join(path, name));
  };
  for (const folder of folders) walk(folder);
  return found;
}

/** Everything that a program finds below a folder, links followed: kinds, modes, times, and a hash of what is said there. */
export function lookThroughAll(
  folder: string,
  say: (path: string, text: string) => string = (_, text) => text,
): Record<string, string> {
  const seen: Record<string, string> = {};
  const walk = (path: string, name: string): void => {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (!stats) seen[name] = "leads nowhere";
    else if (stats.isDirectory()) {
      seen[name] = `folder ${(stats.mode & 0o777).toString(8)}`;
      for (const inside of readdirSync(path)) walk(join(path, inside), `${name}/${inside}`);
    } else {
      const text = plain(say(path, readFileSync(path, "latin1")), folder);
      seen[plain(name, folder)] =
        `file ${(stats.mode & 0o777).toString(8)} ${Math.round(stats.mtimeMs)} ${hash("sha256", text)}`;
    }
  };
  walk(folder, ".");
  return Object.fromEntries(Object.entries(seen).map(([name, look]) => [plain(name, folder), look]));
}

/** What differs between two homes by chance alone: where they are, and new ids. */
const plain = (text: string, folder: string): string =>
  text
    .replaceAll(folder, "HOME")
    .replaceAll(
      /"?(?!1{8}|2{8})[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"?/g,
      "UUID",
    );
