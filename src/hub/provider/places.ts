/** How paths name what is kept: the sessions of an account look like the home of Copilot CLI. */
import { AppError } from "../../model/errors.ts";
import { memberOf } from "../../model/values/member.ts";

/** The home that holds all sessions of an account; no disk has it. */
export const PROVIDER_HOME = "/rethread-hub";
const SESSIONS = `${PROVIDER_HOME}/session-state`;

/** Something in a session (`path` is '' for its own folder), or one of the folders above all sessions. */
export type Place =
  | { readonly session: string; readonly path: string }
  | { readonly above: "sessions" | "home" | "nothing" };

/** As on a disk; and what PostgreSQL takes into an index together with the name of the session. */
const LONGEST_NAME = 255;
const LONGEST_PATH = 2048;

/** The id of a session as it is; what would lead into another session, or to none, is refused. */
export function sessionNamed(id: unknown): string {
  const isName =
    typeof id === "string" && id !== "" && id !== "." && id !== ".." && !/[/\\]/.test(id) && !refusal(id);
  if (isName) return id;
  throw new AppError(
    "usage",
    `${JSON.stringify(id)} is no id of a session`,
    "Pass one that is a name of a file",
  );
}

/** Why no file can have that path: PostgreSQL keeps no NUL, and half a character would become another one. */
export function refusal(path: string): "EINVAL" | "ENAMETOOLONG" | undefined {
  if (path.includes("\0") || !path.isWellFormed()) return "EINVAL";
  const isLong =
    Buffer.byteLength(path) > LONGEST_PATH ||
    path.split("/").some((name) => Buffer.byteLength(name) > LONGEST_NAME);
  return isLong ? "ENAMETOOLONG" : undefined;
}

export const folderOf = (session: string): string => `${SESSIONS}/${session}`;

export function placeOf(name: string): Place {
  const path = normalize(name);
  if (refusal(path)) return { above: "nothing" };
  if (path.startsWith(`${SESSIONS}/`)) {
    const [session = "", ...rest] = path.slice(SESSIONS.length + 1).split("/");
    return { session, path: rest.join("/") };
  }
  if (path === SESSIONS) return { above: "sessions" };
  return { above: path === PROVIDER_HOME || path === "/" ? "home" : "nothing" };
}

/** Windows joins paths with backslashes, and callers leave dots and slashes in them. */
export function normalize(name: string): string {
  const parts: string[] = [];
  for (const part of name.replaceAll("\\", "/").split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}

/** Nothing for the session's own folder. */
export const parentOf = (path: string): string | null =>
  path === "" ? null : path.slice(0, Math.max(0, path.lastIndexOf("/")));

export const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

const WORDS: Readonly<Record<string, string>> = {
  EINVAL: "invalid argument",
  ENAMETOOLONG: "name too long",
  ENOENT: "no such file or directory",
  EISDIR: "illegal operation on a directory",
  ENOTDIR: "not a directory",
  ENOTEMPTY: "directory not empty",
  EXDEV: "cross-session link not permitted",
  EROFS: "no lease to write this session",
  EACCES: "not part of a session",
  ESTALE: "the file was replaced while it was read",
};

export const errno = (code: string, path: string): NodeJS.ErrnoException =>
  Object.assign(new Error(`${code}: ${memberOf(WORDS, code) ?? code}, '${path}'`), { code, path });
