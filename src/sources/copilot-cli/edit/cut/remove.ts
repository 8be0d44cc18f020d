/**
 * Deletes a session: its folder, and the lock file that the program leaves behind when it deletes one itself. Symbolic
 * links to the session or its files are removed with their targets.
 */

import type { Draft, Entry } from "../../../../model/plan.ts";
import type { Artifact } from "../../../../model/session/session.ts";
import { isAtOrBelow } from "../../../../model/values/paths.ts";
import {
  entryAt,
  leadsToNeighbour,
  linksAt,
  linksIn,
  readTreeThrough,
  realPath,
} from "../../../../platform/fs/fs-links.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import { folderOf, SOURCE, stateFolder, under } from "../../workspace/locate.ts";

export const OPERATION_LOCKS = ".session-operation-locks";

/** What only the program writes; a plan or kept files may be links to what people have elsewhere. */
const ITS_OWN = ["events.jsonl", "workspace.yaml", "session.db", "checkpoints", "rewind-file-snapshots"];

export async function remove(fs: SessionFs, artifact: Artifact): Promise<Draft> {
  const { id, root, path } = artifact;
  const state = stateFolder(root);
  const session = folderOf(path) ?? path;
  const targets = [
    ...((await leadsToNeighbour(fs, session))
      ? [await onlyEntry(fs, session)]
      : [
          await readTreeThrough(fs, session),
          ...(await elsewhere(fs, session, state)),
          ...(await otherNames(fs, session, state)),
        ]),
    await readTreeThrough(fs, under(state, OPERATION_LOCKS, `${id}.lock`)),
  ];
  return {
    session: { source: SOURCE, id, path },
    basis: targets.flatMap((entries) => entries.map((entry) => ({ entry }))),
    steps: targets.flatMap(([first]) => (first ? [{ does: "remove" as const, path: first.path }] : [])),
    losses: [],
  };
}

async function onlyEntry(fs: SessionFs, path: string): Promise<Entry[]> {
  const entry = await entryAt(fs, path);
  return entry ? [entry] : [];
}

/** Parts of the session that only links in its folder lead to. What belongs to other sessions stays. */
async function elsewhere(fs: SessionFs, session: string, state: string): Promise<Entry[][]> {
  const [own, others] = [await realPath(fs, session), await realPath(fs, state)];
  const linked = new Set(await linksIn(fs, session));
  const found: Entry[][] = [];
  for (const name of ITS_OWN.filter((each) => linked.has(each))) {
    const path = under(session, name);
    const real = await realPath(fs, path);
    const isOthers = isAtOrBelow(real, others) || isAtOrBelow(own, real);
    if (isAtOrBelow(real, own) || isOthers) continue;
    found.push(await readTreeThrough(fs, real));
    for (const link of await linksAt(fs, path))
      if (!isAtOrBelow(link, own)) found.push(await onlyEntry(fs, link));
  }
  return found;
}

/** Links beside the session that lead to it would lead nowhere. */
async function otherNames(fs: SessionFs, session: string, state: string): Promise<Entry[][]> {
  const own = await realPath(fs, session);
  const found: Entry[][] = [];
  for (const name of await linksIn(fs, state)) {
    const link = under(state, name);
    if (link !== session && (await realPath(fs, link)) === own) found.push(await onlyEntry(fs, link));
  }
  return found;
}
