/** Taking a session away: its folder, and the lock file that the program leaves behind when it deletes one itself. */
import type { Draft } from "../../../model/plan.ts";
import type { Artifact } from "../../../model/session.ts";
import type { SessionFs } from "../../../platform/session-fs.ts";
import { readTree } from "../../../platform/tree.ts";
import { folderOf, SOURCE, stateFolder, under } from "../locate.ts";

export const OPERATION_LOCKS = ".session-operation-locks";

export async function remove(_fs: SessionFs, artifact: Artifact): Promise<Draft> {
  const { id, root, path } = artifact;
  const lock = under(stateFolder(root), OPERATION_LOCKS, `${id}.lock`);
  const targets = [folderOf(path) ?? path, lock].flatMap((target) => {
    const entries = readTree(target);
    return entries.length > 0 ? [{ target, entries }] : [];
  });
  return {
    session: { source: SOURCE, id, path },
    basis: targets.flatMap(({ entries }) => entries.map((entry) => ({ entry }))),
    steps: targets.map(({ target }) => ({ does: "remove", path: target })),
    losses: [],
  };
}
