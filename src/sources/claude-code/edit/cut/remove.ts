/** Deletes a session: its transcript, and everything that the program keeps under the session's id. */
import { join } from "node:path";
import type { Draft, Entry } from "../../../../model/plan.ts";
import type { Artifact } from "../../../../model/session/session.ts";
import { isAtOrBelow } from "../../../../model/values/paths.ts";
import { readTreeThrough } from "../../../../platform/fs/fs-links.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import { files } from "../../files.ts";
import { fileHistory, isSessionId, sessionFolder } from "../../locate.ts";
import { SOURCE } from "../../scan.ts";

/** Folders of the program with one entry for each session. */
const NAMED_AFTER = ["tasks", "session-env"];

export async function remove(fs: SessionFs, artifact: Artifact): Promise<Draft> {
  const { id, root, path } = artifact;
  const own = sessionFolder(path);
  // Other names could lead anywhere: the program itself only uses ids.
  const named = isSessionId(id)
    ? [fileHistory(root, id), ...NAMED_AFTER.map((folder) => join(root, folder, id))]
    : [];
  const outside = (await files(fs, artifact)).filter(
    (each) => each !== path && ![own, ...named].some((folder) => isAtOrBelow(each, folder)),
  );
  const targets: Entry[][] = [];
  for (const place of [path, own, ...outside, ...named]) targets.push(await readTreeThrough(fs, place));
  return {
    session: { source: SOURCE, id, path },
    basis: targets.flatMap((entries) => entries.map((entry) => ({ entry }))),
    steps: targets.flatMap(([first]) => (first ? [{ does: "remove" as const, path: first.path }] : [])),
    losses: [],
  };
}
