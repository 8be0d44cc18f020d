/** Takes secrets out of a session of Claude Code; what it keeps for restoring files stays as it is. */
import type { Draft } from "../../../../model/plan.ts";
import type { Artifact } from "../../../../model/session/session.ts";
import { isAtOrBelow } from "../../../../model/values/paths.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import { replaceScrubbed } from "../../../files/scrubbed-files.ts";
import type { ScrubRequest } from "../../../requests.ts";
import { fileHistory } from "../../locate.ts";
import { SOURCE } from "../../scan.ts";

export async function scrub(fs: SessionFs, artifact: Artifact, { files }: ScrubRequest): Promise<Draft> {
  const { id, path, root } = artifact;
  /** Copies of the user's own files: a rewind would write a mark into them. */
  const isState = (file: { readonly path: string }): boolean => isAtOrBelow(file.path, fileHistory(root, id));
  return {
    session: { source: SOURCE, id, path },
    ...(await replaceScrubbed(
      fs,
      files.filter((file) => !isState(file)),
    )),
    losses: files.some(isState)
      ? ["copies of your own files that Claude Code keeps for a rewind; secrets stay in them"]
      : [],
  };
}
