/**
 * Taking a session away: its folder, and the lock file that the program leaves behind when it deletes one itself. Where
 * links lead to the session or to its own files, both the links and what they lead to go.
 */
import { isAtOrBelow } from "../../../../model/place.ts";
import type { Draft, Entry } from "../../../../model/plan.ts";
import type { Artifact } from "../../../../model/session.ts";
import {
  leadsToNeighbour,
  linksAt,
  linksIn,
  readTreeThrough,
  realPath,
} from "../../../../platform/fs/links.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import { lookAt } from "../../../../platform/fs/tree.ts";
import { folderOf, SOURCE, stateFolder, under } from "../../workspace/locate.ts";

export const OPERATION_LOCKS = ".session-operation-locks";

/** What only the program writes; a plan or kept files may be links to what people have elsewhere. */
const ITS_OWN = ["events.jsonl", "workspace.yaml", "session.db", "checkpoints", "rewind-file-snapshots"];

export async function remove(_fs: SessionFs, artifact: Artifact): Promise<Draft> {
  const { id, root, path } = artifact;
  const state = stateFolder(root);
  const session = folderOf(path) ?? path;
  const targets = [
    ...(leadsToNeighbour(session)
      ? [lookAt(session)].flatMap((link) => (link ? [[link]] : []))
      : [readTreeThrough(session), ...elsewhere(session, state), ...otherNames(session, state)]),
    readTreeThrough(under(state, OPERATION_LOCKS, `${id}.lock`)),
  ];
  return {
    session: { source: SOURCE, id, path },
    basis: targets.flatMap((entries) => entries.map((entry) => ({ entry }))),
    steps: targets.flatMap(([first]) => (first ? [{ does: "remove" as const, path: first.path }] : [])),
    losses: [],
  };
}

/** Parts of the session that only links in its folder lead to. What belongs to other sessions stays. */
function elsewhere(session: string, state: string): Entry[][] {
  const [own, others] = [realPath(session), realPath(state)];
  const linked = new Set(linksIn(session));
  return ITS_OWN.filter((name) => linked.has(name)).flatMap((name) => {
    const path = under(session, name);
    const real = realPath(path);
    const isOthers = isAtOrBelow(real, others) || isAtOrBelow(own, real);
    if (isAtOrBelow(real, own) || isOthers) return [];
    const links = linksAt(path).filter((link) => !isAtOrBelow(link, own));
    return [readTreeThrough(real), ...links.map((link) => [lookAt(link) as Entry])];
  });
}

/** Links beside the session that lead to it would lead nowhere. */
function otherNames(session: string, state: string): Entry[][] {
  const own = realPath(session);
  return linksIn(state)
    .map((name) => under(state, name))
    .filter((link) => link !== session && realPath(link) === own)
    .flatMap((link) => {
      const entry = lookAt(link);
      return entry ? [[entry]] : [];
    });
}
