/** The file that is asked about: where it really is, whether it may be read, and its text. */
import { isAbsolute, resolve } from "node:path";
import { AppError } from "../../model/errors.ts";
import { isAtOrBelow } from "../../model/values/paths.ts";
import { realPath } from "../../platform/fs/fs-links.ts";
import { isErrno, reasonOf, type SessionFs } from "../../platform/fs/session-fs.ts";
import { findWork, type ReachParts, reachOf } from "./reach.ts";

export interface TargetFile {
  /** Without links. */
  readonly path: string;
  readonly text: string;
  /** The folder of sessions, or of the person who asks, that it is in, if any. */
  readonly folder?: string;
}

/** A longer file is data, not something that people or agents write line by line. */
const LARGEST = 32 << 20;
/** Where git looks for a byte that no text has. */
const LOOKED_AT = 8000;

/** Who is at this machine, in the folder `here`, may read what they may read; others only what sessions worked on. */
export async function openTarget(
  name: string,
  reach: ReachParts,
  here: string | undefined,
): Promise<TargetFile> {
  const { fs } = reach;
  if (name === "") throw new AppError("usage", "The file has no name", "Name it: <file>, or <file>:<line>");
  if (name.includes("\0"))
    throw new AppError(
      "usage",
      "The path of the file has a character in it that no path has (NUL)",
      "Leave it out",
    );
  if (here === undefined && !isAbsolute(name))
    throw new AppError("usage", `The path of the file is not absolute: ${name}`, "Give its whole path");
  const given = here === undefined ? name : resolve(here, name);
  const path = await realPath(fs, given).catch(() => given);
  const folder =
    here === undefined ? await folderFor(path, name, reach) : await folderHere(path, here, reach);
  return { path, text: await readText(fs, path, name), ...(folder !== undefined && { folder }) };
}

async function folderFor(path: string, name: string, reach: ReachParts): Promise<string> {
  const found = await reachOf(path, reach);
  if ("folder" in found) return found.folder;
  throw new AppError(
    "file-refused",
    `${name} ${found.refused}, so it is not read for others`,
    "Ask for it with `rethread blame` in a terminal",
  );
}

/** The innermost that it is in. */
async function folderHere(path: string, here: string, reach: ReachParts): Promise<string | undefined> {
  const own = await realPath(reach.fs, here).catch(() => here);
  const work = await findWork(path, reach);
  const isOwn = isAtOrBelow(path, own) && own.length > (work?.length ?? 0);
  return isOwn ? own : work;
}

async function readText(fs: SessionFs, path: string, name: string): Promise<string> {
  try {
    const { kind, size } = await fs.stat(path);
    if (kind !== "file") throw notText(name, kind === "folder" ? "is a folder" : "is not a regular file");
    if (size > LARGEST) throw notText(name, `has ${Math.round(size / 1e6)} MB, and at most 33 are read`);
    const bytes = Buffer.from(await fs.read(path));
    if (bytes.subarray(0, LOOKED_AT).includes(0)) throw notText(name, "is binary");
    return bytes.toString("utf8").replace(/^\ufeff/, "");
  } catch (error) {
    if (isErrno(error, "ENOENT", "ENOTDIR"))
      throw new AppError("file-not-found", `There is no file ${name}`, {
        say: "See the files that sessions changed",
        remedy: { action: "blame" },
      });
    if (error instanceof AppError || !(error instanceof Error && "code" in error)) throw error;
    const message = `${name} cannot be read: ${reasonOf(error)}`;
    throw isErrno(error, "EACCES", "EPERM")
      ? new AppError("permission-denied", message, "See who may read it", error)
      : new AppError("system-failed", message, "See where it leads, or name another file", error);
  }
}

const notText = (name: string, why: string): AppError =>
  new AppError("file-not-text", `${name} ${why}, so it has no lines to tell of`, "Name a text file");
