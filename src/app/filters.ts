/** Filters as people type them, turned into what queries understand. */
import { resolve } from "node:path";
import { AppError } from "../model/errors.ts";
import { toPlainDate } from "../model/time.ts";
import { parseWhen } from "../model/when.ts";
import { knownSources, type ListFilter } from "../query/list.ts";
import type { Catalog } from "../sources/catalog.ts";
import type { SessionFilter } from "../store/filter.ts";
import type { Config } from "./config.ts";

export interface ListRequest {
  readonly sources?: readonly string[];
  readonly workspace?: string;
  readonly repository?: string;
  readonly branch?: string;
  readonly since?: string;
  readonly until?: string;
  readonly limit?: number;
  /** Answer from the store as it is, without looking for changed sessions first. */
  readonly noRefresh?: boolean;
}

export interface SearchPlace extends ListRequest {
  readonly file?: string;
  readonly ref?: string;
  readonly tool?: string;
  readonly model?: string;
}

export function toFilter(
  request: ListRequest,
  { now, folder, environment }: Config,
  catalog: Catalog,
): ListFilter {
  const { sources, workspace, repository, branch, since, until } = request;
  const at = now();
  return {
    ...(sources && sources.length > 0 && { sources: knownSources(catalog, sources) }),
    ...(workspace !== undefined && { workspace: toPlace(workspace, folder, environment.homeDir) }),
    ...(repository !== undefined && { repository }),
    ...(branch !== undefined && { branch }),
    ...(since !== undefined && {
      since: toPlainDate(parseWhen(since, "start", at).getTime()).toISOString(),
    }),
    ...(until !== undefined && { until: toPlainDate(parseWhen(until, "end", at).getTime()).toISOString() }),
  };
}

export function toStoreFilter(filter: ListFilter, place: SearchPlace): SessionFilter {
  return {
    ...filter,
    ...(place.file !== undefined && { file: place.file }),
    ...(place.ref !== undefined && { ref: toRef(place.ref) }),
    ...(place.tool !== undefined && { tool: place.tool }),
    ...(place.model !== undefined && { model: place.model }),
  };
}

function toRef(text: string): { type: string; value: string } {
  const [, type, value] = /^(commit|pr|issue):#?(.+)$/.exec(text) ?? [];
  if (type === undefined || value === undefined)
    throw new AppError("usage", `"${text}" is not a reference`, "Use pr:42, issue:7 or commit:1a2b3c4");
  return { type, value };
}

/** "." and "~/work" name a folder; anything else is a part of a path. */
function toPlace(text: string, folder: string, homeDir: string): string {
  if (text === "~" || text.startsWith("~/")) return homeDir + text.slice(1);
  return /^\.{1,2}([/\\]|$)/.test(text) ? resolve(folder, text) : text;
}
