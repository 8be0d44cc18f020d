/** Deletes a session: from the list first, so that the list never names a missing session, then its files. */
import type { Draft } from "../../../../model/plan.ts";
import type { Artifact } from "../../../../model/session/session.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import { SOURCE } from "../../format/problems.ts";
import { homeOf, traces } from "../copy/session-home.ts";
import { readList, removeEntry, toSet } from "./list.ts";

export async function remove(
  fs: SessionFs,
  artifact: Artifact,
  { now }: { readonly now: Date },
): Promise<Draft> {
  const { id, path } = artifact;
  const home = homeOf(artifact);
  const list = await readList(fs, home.database);
  const targets = await traces(fs, artifact, home);
  const cells = removeEntry(list, id);
  return {
    session: { source: SOURCE, id, path },
    basis: targets.flatMap((entries) => entries.map((entry) => ({ entry }))),
    steps: [
      ...(cells.length > 0 ? [await toSet(fs, list, cells, now)] : []),
      ...targets.flatMap(([first]) => (first ? [{ does: "remove" as const, path: first.path }] : [])),
    ],
    losses: [],
  };
}
