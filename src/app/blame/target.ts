/** The file that is asked about: where it really is, whether it may be read, and its text. */
import { dirname, isAbsolute, resolve } from "node:path";
import { AppError } from "../../model/errors.ts";
import { isAtOrBelow } from "../../model/values/paths.ts";
import { realPath } from "../../platform/fs/fs-links.ts";
import { isErrno, reasonOf, type SessionFs } from "../../platform/fs/session-fs.ts";

export interface TargetFile {
  /** Without links. */
  readonly path: string;
  readonly text: string;
  /** The folder of sessions that it is in, if any. */
  readonly folder?: string;
}

export interface Reachable {
  readonly fs: SessionFs;
  /** The folders that sessions are about. */
  readonly folders: readonly string[];
  /** Whether a session changed a file of this path. */
  isKnown(path: string): boolean;
  /** The person's own folder: what was done there says nothing of all that is in it. */
  readonly homeDir: string;
  /** Where the person at the terminal is. */
  readonly here?: string;
}

/** A longer file is data, not something that people or agents write line by line. */
const LARGEST = 32 << 20;
/** Where git looks for a byte that no text has. */
const LOOKED_AT = 8000;

/** Only what lies in a folder that sessions are about, or what a session changed: a token is no key to the whole disk. */
export async function openTarget(name: string, reach: Reachable): Promise<TargetFile> {
  const { fs, here } = reach;
  if (here === undefined && !isAbsolute(name))
    throw new AppError("usage", `The path of the file is not absolute: ${name}`, "Give its whole path");
  const given = here === undefined ? name : resolve(here, name);
  const path = await realPath(fs, given).catch(() => given);
  const folder = await findFolder(path, given, reach);
  if (folder === undefined && !reach.isKnown(path) && !reach.isKnown(given)) throw refused(name);
  return { path, text: await readText(fs, path, name), ...(folder !== undefined && { folder }) };
}

/** The innermost folder of sessions that a file really is in. */
async function findFolder(path: string, given: string, reach: Reachable): Promise<string | undefined> {
  const { fs, homeDir, here } = reach;
  const folders = reach.folders
    .map((each) => (/\.code-workspace$/i.test(each) ? dirname(each) : each))
    .filter((each) => isAbsolute(each) && !isAtOrBelow(homeDir, each));
  const near = [...(here === undefined ? [] : [here]), ...folders].filter(
    (each) => isAtOrBelow(path, each) || isAtOrBelow(given, each),
  );
  let found: string | undefined;
  for (const each of near) {
    const real = await realPath(fs, each).catch(() => each);
    if (isAtOrBelow(path, real) && real.length > (found?.length ?? 0)) found = real;
  }
  return found;
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
    const code = isErrno(error, "EACCES", "EPERM") ? "permission-denied" : "system-failed";
    throw new AppError(code, `${name} cannot be read: ${reasonOf(error)}`, "See who may read it", error);
  }
}

const notText = (name: string, why: string): AppError =>
  new AppError("file-not-text", `${name} ${why}, so it has no lines to tell of`, "Name a text file");

const refused = (name: string): AppError =>
  new AppError("file-refused", `${name} is in no folder that sessions are about, and no session changed it`, {
    say: "See the folders that sessions are about",
    remedy: { action: "workspaces" },
  });
