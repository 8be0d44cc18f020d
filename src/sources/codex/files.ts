/** The files of a session: its log, and the logs that it goes on from. */
import type { Artifact } from "../../model/session/session.ts";
import type { SessionFs } from "../../platform/fs/session-fs.ts";
import { segmentsOf } from "./segments.ts";

export async function files(fs: SessionFs, { root, path }: Artifact): Promise<string[]> {
  const { list } = await segmentsOf(fs, root, path);
  return [...new Set(list.toReversed().map((segment) => segment.path))];
}
