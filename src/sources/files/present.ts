/** What is now at the paths that recorded file states name. */
import { hashOf } from "../../platform/fs/file-hash.ts";
import { entryAt, lookThrough, realPath, realPlace } from "../../platform/fs/fs-links.ts";
import { isErrno, type SessionFs } from "../../platform/fs/session-fs.ts";
import type { Present } from "./back.ts";

export async function lookPresent(fs: SessionFs, path: string): Promise<Present> {
  try {
    const place = await realPlace(fs, path);
    return { place, is: await whatIs(fs, place) };
  } catch (error) {
    // Neither file nor folder, or out of reach: nothing that could be known as what the turns left.
    if (!isErrno(error, ...OUT_OF_REACH)) throw error;
    return { place: path, is: { kind: "other" } };
  }
}

const OUT_OF_REACH = ["ENOTSUP", "ENOTDIR", "ELOOP", "ENAMETOOLONG", "EACCES", "EPERM"];

async function whatIs(fs: SessionFs, place: string): Promise<Present["is"]> {
  const entry = await entryAt(fs, place);
  if (!entry) return { kind: "absent" };
  if (entry.kind === "file") return { kind: "content", hash: await hashOf(fs, place) };
  if (entry.kind === "folder") return { kind: "other" };
  const { target } = entry;
  if ((await lookThrough(fs, place))?.kind !== "file") return { kind: "link", target };
  const end = await realPath(fs, place);
  return { kind: "link", target, leadsTo: { place: end, hash: await hashOf(fs, end) } };
}
