/** The list of sessions, for whatever asks about those that match. */
import { copiesIn } from "../../model/session/lineage.ts";
import { listFromFiles, listSessions } from "../../query/list.ts";
import { type Call, toProgress } from "../call.ts";
import type { ListRequest, SessionList } from "../contract.ts";
import { toFilter } from "../filters.ts";
import type { Request } from "../request.ts";

export async function listIn(
  { catalog, askStoreOr, lineage, parents, tags }: Request,
  wanted: ListRequest,
  call: Call,
): Promise<SessionList> {
  const { model, exact, text, problems, copies, facets } = wanted;
  const recordedCopies = copies || facets ? copiesIn(await lineage()) : [];
  const filter = {
    ...(await toFilter(wanted, catalog)),
    ...(model !== undefined && { model }),
    ...(exact && { exact }),
    ...(text !== undefined && { text }),
    ...(problems && { problems }),
    ...(copies && { copies }),
    ...(recordedCopies.length > 0 && { recordedCopies }),
  };
  const list = await askStoreOr(
    facets ? {} : wanted, // facets tell of other sources, too
    (store) => listSessions(catalog, store, filter, wanted),
    async () => listFromFiles(catalog, filter, wanted, toProgress(call), await tags()),
  );
  return { ...list, sessions: await parents(list.sessions) };
}
