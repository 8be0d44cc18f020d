/** What is now at the paths that recorded file states name. */
import { hashOf } from "../../../platform/file-hash.ts";
import { lookThrough, realPath, realPlace } from "../../../platform/links.ts";
import { isErrno, type SessionFs } from "../../../platform/session-fs.ts";
import { lookAt } from "../../../platform/tree.ts";
import type { Present } from "./files-back.ts";

export async function lookPresent(fs: SessionFs, path: string): Promise<Present> {
  const place = realPlace(path);
  return { place, is: await whatIs(fs, place) };
}

async function whatIs(fs: SessionFs, place: string): Promise<Present["is"]> {
  try {
    const entry = lookAt(place);
    if (!entry) return { kind: "absent" };
    if (entry.kind === "file") return { kind: "content", hash: await hashOf(fs, place) };
    if (entry.kind === "folder") return { kind: "other" };
    const { target } = entry;
    if (lookThrough(place)?.kind !== "file") return { kind: "link", target };
    const end = realPath(place);
    return { kind: "link", target, leadsTo: { place: end, hash: await hashOf(fs, end) } };
  } catch (error) {
    // Neither file nor folder, or below what is no folder: nothing that any turn left.
    if (!isErrno(error, "ENOTDIR", "ENOTSUP")) throw error;
    return { kind: "other" };
  }
}
