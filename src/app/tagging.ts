/** Gives sessions tags and takes them away: recorded in state.db, and copied at once to the store, where they are looked for. */
import { AppError } from "../model/errors.ts";
import { countTags, type TagCount, type TaggedSession, toTags } from "../model/session/tags.ts";
import { formatKey, type SessionKey, splitQualified } from "../model/values/id.ts";
import { locateSession } from "../query/resolve.ts";
import { findKnownKeys } from "../store/known-artifacts.ts";
import { readTags, recordTags, type TagRecords, tagsOf } from "../store/state/tags.ts";
import { countStoredTags } from "../store/tag-rows.ts";
import { type Call, toProgress } from "./call.ts";
import type { Request } from "./request.ts";
import { isStoreFault } from "./store/queries.ts";

export interface TagRequest {
  /** By names that `show` takes. */
  readonly sessions: readonly string[];
  readonly add?: readonly string[];
  readonly remove?: readonly string[];
}

type Now = () => Date;

export async function changeSessionTags(
  request: Request,
  { sessions, add = [], remove = [] }: TagRequest,
  now: Now,
  call: Call,
): Promise<readonly TaggedSession[]> {
  const change = { add: toTags(add), remove: toTags(remove) };
  if (change.add.length + change.remove.length === 0)
    throw new AppError("usage", "No tag is named", "Name the tags to add or to remove");
  const both = change.add.find((tag) => change.remove.includes(tag));
  if (both !== undefined)
    throw new AppError("usage", `"${both}" is to be both added and removed`, "Name it once");
  const keys = await keysOf(request, sessions, call);
  const tagged = recordTags(request.dataFolder, now, { sessions: keys, ...change });
  await copyToStore(request, now);
  return tagged;
}

/** How many sessions have which tag; with a session, only for its own tags. */
export async function listTags(
  request: Request,
  { session }: { readonly session?: string },
  now: Now,
  call: Call,
): Promise<readonly TagCount[]> {
  const { dataFolder, askStoreOr } = request;
  const all = await askStoreOr(
    {},
    ({ db }) => countStoredTags(db),
    async () => countTags(bySession(readTags(dataFolder, now)?.rows ?? []).values()),
  );
  if (session === undefined) return all;
  const [key] = await keysOf(request, [session], call);
  const own = key ? tagsOf(dataFolder, now, key) : [];
  const counts = new Map(all.map(({ tag, count }) => [tag, count]));
  return own.map((tag) => ({ tag, count: counts.get(tag) ?? 1 }));
}

/** The tags of each session, by its key. */
export const tagsByKey = (rows: TagRecords["rows"]): ReadonlyMap<string, readonly string[]> =>
  new Map([...bySession(rows)].map(([key, { tags }]) => [key, tags]));

function bySession(rows: TagRecords["rows"]): Map<string, TaggedSession> {
  const groups = Map.groupBy(rows, ({ source, session }) => formatKey({ source, id: session }));
  return new Map(
    [...groups].map(([key, own]) => [
      key,
      { source: own[0]?.source ?? "", id: own[0]?.session ?? "", tags: own.map(({ tag }) => tag) },
    ]),
  );
}

/** Whole keys that the store knows need no look at the files, and may be of sessions whose files are gone. */
async function keysOf(request: Request, names: readonly string[], call: Call): Promise<SessionKey[]> {
  const { catalog, naming, unlessGone, askStoreOrNot } = request;
  const sources = catalog.sources.map((each) => each.source);
  const known = await askStoreOrNot(({ db }) => findKnownKeys(db, names));
  const keys = new Map<string, SessionKey>();
  for (const name of names) {
    const { source, rest: id } = splitQualified(name, sources);
    const key =
      source !== undefined && known?.has(name)
        ? { source, id }
        : await unlessGone(name, locateSession(catalog, name, toProgress(call), naming));
    keys.set(formatKey(key), { source: key.source, id: key.id });
  }
  return [...keys.values()];
}

/** As long as another process may hold the store before the next refresh is left to copy them. */
const PATIENCE_MS = 2000;

async function copyToStore({ withStore, dataFolder }: Request, now: Now): Promise<void> {
  try {
    await (await withStore()).ask({ refresh: false }, async (store) => {
      const tags = readTags(dataFolder, now, store.tagMark());
      if (tags && (await store.takeTurn(PATIENCE_MS, () => false))) store.keepTags(tags);
    });
  } catch (error) {
    if (!isStoreFault(error)) throw error; // the next refresh of a store that can be written takes them
  }
}
