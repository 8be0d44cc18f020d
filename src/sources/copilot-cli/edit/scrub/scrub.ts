/** Takes secrets out of a session of Copilot CLI; what it keeps for restoring files stays as it is. */
import type { Draft } from "../../../../model/plan.ts";
import type { Artifact } from "../../../../model/session/session.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import { replaceScrubbed } from "../../../files/scrubbed-files.ts";
import type { ScrubRequest } from "../../../requests.ts";
import { SOURCE } from "../../workspace/locate.ts";
import { openFolder } from "../copy/folder.ts";

/** Copies of the user's own files: a rewind would write a mark into them. */
const SNAPSHOTS = /^rewind-file-snapshots\//;

export async function scrub(fs: SessionFs, artifact: Artifact, { files }: ScrubRequest): Promise<Draft> {
  const folder = await openFolder(fs, artifact);
  const isSnapshot = ({ path }: { readonly path: string }): boolean =>
    SNAPSHOTS.test(path.slice(folder.path.length + 1).replaceAll("\\", "/"));
  return {
    session: { source: SOURCE, id: artifact.id, path: artifact.path },
    ...(await replaceScrubbed(
      fs,
      files.filter((file) => !isSnapshot(file)),
    )),
    losses: files.some(isSnapshot)
      ? ["copies of your own files that Copilot CLI keeps for a rewind; secrets stay in them"]
      : [],
  };
}
