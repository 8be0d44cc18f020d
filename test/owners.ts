/** Another owner for a home: another user where the tests run as root, else another group of ours, if we have one. */
import { lchownSync, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Owner } from "../src/platform/disk/ownership.ts";

export const IS_ROOT = process.geteuid?.() === 0;

export const OTHER: Owner = IS_ROOT
  ? { uid: 4321, gid: 5432 }
  : {
      uid: process.geteuid?.() ?? 0,
      gid: process.getgroups?.().find((group) => group !== process.getegid?.()) ?? process.getegid?.() ?? 0,
    };

const everything = (path: string): string[] => [
  path,
  ...(lstatSync(path).isDirectory() ? readdirSync(path).flatMap((name) => everything(join(path, name))) : []),
];

export function giveAll(folder: string, { uid, gid }: Owner = OTHER): void {
  for (const path of everything(folder)) lchownSync(path, uid, gid);
}

/** What does not belong to the other owner. Only root gives them what is new, so others name what was there before. */
export const foreign = (folder: string, names?: readonly string[]): string[] =>
  everything(folder).filter((path) => {
    const { uid, gid } = lstatSync(path);
    const isTheirs = uid === OTHER.uid && gid === OTHER.gid;
    return !isTheirs && (IS_ROOT || names === undefined || names.includes(path));
  });

export const pathsIn = everything;
