/** Takes secrets out of a chat of VS Code, and out of its title in VS Code's list. */
import { dirname } from "node:path";
import type { Draft } from "../../../../model/plan.ts";
import type { Artifact } from "../../../../model/session/session.ts";
import { isAtOrBelow } from "../../../../model/values/paths.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import { replaceScrubbed } from "../../../files/scrubbed-files.ts";
import type { ScrubRequest } from "../../../requests.ts";
import { SOURCE } from "../../format/problems.ts";
import { editingStateIn } from "../../index-db/stores.ts";
import { homeOf } from "../copy/session-home.ts";
import { changeEntry, readList, toSet } from "../list/list.ts";

export async function scrub(fs: SessionFs, artifact: Artifact, request: ScrubRequest): Promise<Draft> {
  const { id, path } = artifact;
  const { folder, database } = homeOf(artifact);
  const editing = folder === undefined ? undefined : dirname(editingStateIn(folder, id));
  /** Copies of the user's own files: undoing an edit would write a mark into them. */
  const isState = (file: { readonly path: string }): boolean =>
    editing !== undefined && isAtOrBelow(file.path, editing);
  const list = await readList(fs, database);
  const title = list.entries.get(id)?.title;
  const cells =
    typeof title === "string" && request.text(title) !== title
      ? changeEntry(list, id, "title", request.text(title))
      : [];
  const { basis, steps } = await replaceScrubbed(
    fs,
    request.files.filter((file) => !isState(file)),
  );
  return {
    session: { source: SOURCE, id, path },
    basis,
    steps: [...steps, ...(cells.length > 0 ? [await toSet(fs, list, cells, request.now)] : [])],
    losses: request.files.some(isState)
      ? ["the states for undoing edits in VS Code, which are copies of your own files; secrets stay in them"]
      : [],
  };
}
