/** What is now at the paths that recorded file states name. */
import type { Entry } from "../../../model/plan.ts";
import { hashOf } from "../../../platform/file-hash.ts";
import { isErrno, type SessionFs } from "../../../platform/session-fs.ts";
import { lookAt } from "../../../platform/tree.ts";
import type { FileStory, Present } from "./files-back.ts";

export async function lookAround(
  fs: SessionFs,
  stories: readonly FileStory[],
): Promise<(path: string) => Present> {
  const found = new Map<string, Present>();
  const paths = stories.flatMap(({ path, before, after }) => [
    path,
    ...[before, after].flatMap((state) => ("content" in state && state.content ? [state.content.at] : [])),
  ]);
  for (const path of new Set(paths)) found.set(path, await lookPresent(fs, path));
  return (path) => found.get(path) ?? { kind: "absent" };
}

async function lookPresent(fs: SessionFs, path: string): Promise<Present> {
  let entry: Entry | undefined;
  try {
    entry = lookAt(path);
  } catch (error) {
    // Neither file nor folder, or below what is no folder: nothing that any turn left.
    if (!isErrno(error, "ENOTDIR", "ENOTSUP")) throw error;
    return { kind: "other" };
  }
  if (!entry) return { kind: "absent" };
  if (entry.kind === "link") return { kind: "link", target: entry.target };
  return entry.kind === "file" ? { kind: "content", hash: await hashOf(fs, path) } : { kind: "other" };
}
