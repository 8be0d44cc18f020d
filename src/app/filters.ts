/** Which sessions a question is about, turned into what queries understand. */
import type { SessionOrder } from "../model/session/session-order.ts";
import { toTags } from "../model/session/tags.ts";
import type { SessionKey } from "../model/values/id.ts";
import { toPlainDate } from "../model/values/time.ts";
import { knownSources, type ListFilter } from "../query/list.ts";
import type { Catalog } from "../sources/catalog.ts";
import type { SessionFilter } from "../store/filter.ts";
import { projectPlace } from "./project-place.ts";

/** Where and when the work was. */
export interface WorkPlace {
  readonly sources?: readonly string[];
  /** A folder, which means all below it, too; or a part of its path. */
  readonly workspace?: string;
  readonly repository?: string;
  readonly branch?: string;
  /** Active since then. */
  readonly since?: Date;
  readonly until?: Date;
  /** Only sessions with all of these tags. */
  readonly tags?: readonly string[];
}

export interface ListRequest extends WorkPlace {
  /** False leaves out who has a session open. */
  readonly owners?: boolean;
  /** A part of the name of a model that was used. */
  readonly model?: string;
  /** Repository, branch, model and workspace are whole names, as facets have them. */
  readonly exact?: boolean;
  /** Words that all occur in its title, repository, branch, workspace or the start of its first prompt. */
  readonly text?: string;
  /** True lists only sessions with problems. */
  readonly problems?: boolean;
  /** True lists only forks and clones. */
  readonly copies?: boolean;
  /** Count those that match by source, repository and so on. */
  readonly facets?: boolean;
  readonly limit?: number;
  readonly sort?: SessionOrder;
  /** `next` of the page before. */
  readonly cursor?: string;
}

/** A commit, a pull request or an issue. */
export interface Reference {
  readonly type: "commit" | "pr" | "issue";
  readonly value: string;
}

export interface SearchPlace extends WorkPlace {
  readonly file?: string;
  readonly ref?: Reference;
  readonly tool?: string;
  readonly model?: string;
  /** Repository, branch, model and workspace are whole names, as facets have them. */
  readonly exact?: boolean;
  /** Only this session, by a name that `show` takes. */
  readonly session?: string;
}

export async function toFilter(request: WorkPlace, catalog: Catalog): Promise<ListFilter> {
  const { sources, workspace, repository, branch, since, until, tags } = request;
  const project = workspace === undefined ? undefined : await projectPlace(catalog, workspace);
  return {
    ...(sources && sources.length > 0 && { sources: knownSources(catalog, sources) }),
    ...(workspace !== undefined && { workspace }),
    ...(project && { project }),
    ...(repository !== undefined && { repository }),
    ...(branch !== undefined && { branch }),
    ...(since !== undefined && { since: toPlainDate(since.getTime()).toISOString() }),
    ...(until !== undefined && { until: toPlainDate(until.getTime()).toISOString() }),
    ...(tags && tags.length > 0 && { tags: toTags(tags) }),
  };
}

export const toStoreFilter = (
  filter: ListFilter,
  place: SearchPlace,
  session?: SessionKey,
): SessionFilter => ({
  ...filter,
  ...(place.file !== undefined && { file: place.file }),
  ...(place.ref !== undefined && { ref: place.ref }),
  ...(place.tool !== undefined && { tool: place.tool }),
  ...(place.model !== undefined && { model: place.model }),
  ...(place.exact && { exact: true }),
  ...(session && { session: { source: session.source, id: session.id } }),
});
