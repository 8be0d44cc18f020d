/** Repairs chats in place, one or all below a root, with VS Code's lists of chats. */

import { basename, dirname } from "node:path";
import type { Draft } from "../../../../model/plan.ts";
import type { Adoption } from "../../../../model/plan-facts.ts";
import type { Advice } from "../../../../model/remedy.ts";
import type { Artifact } from "../../../../model/session/session.ts";
import { realPath } from "../../../../platform/fs/fs-links.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import type { RescueAllDraft } from "../../../editor.ts";
import type { RescueAllRequest } from "../../../requests.ts";
import { SOURCE } from "../../format/problems.ts";
import { findStores } from "../../index-db/stores.ts";
import { homeOf } from "../copy/session-home.ts";
import { type Follow, findAdoptions, toLeft } from "./adoption.ts";
import { type Arrival, arriveUnopened } from "./follow.ts";
import { toLosses } from "./losses.ts";
import { rescueStore, type StoreRescue } from "./store.ts";

export async function rescue(
  fs: SessionFs,
  artifact: Artifact,
  { now }: { readonly now: Date },
): Promise<Draft> {
  const { folder, sessions, database } = homeOf(artifact);
  // Chats of windows without a folder may still be where an older VS Code kept them, and are listed with the others.
  const own = dirname(artifact.path);
  const isOlder = folder === undefined && basename(own) === "chatSessions";
  const store = {
    sessions: isOlder ? [sessions, own] : [sessions],
    database,
    ...(folder !== undefined && { folder }),
  };
  const { sessions: changed, ...rest } = await rescueStore(fs, store, { now, only: artifact.id });
  const [session = { source: SOURCE, id: artifact.id, path: artifact.path }] = changed;
  return { session, ...rest, losses: withLost(rest) };
}

export async function rescueAll(
  fs: SessionFs,
  root: string,
  request: RescueAllRequest,
): Promise<RescueAllDraft> {
  const { follows, left } = request.adopt ? await findAdoptions(fs, root) : { follows: [], left: [] };
  const leaving: StoreRescue[] = [];
  const staying: StoreRescue[] = [];
  const unopened: RescueAllDraft[] = [];
  const adoptions: Adoption[] = [...left];
  /** By the storage folders that they come to. */
  const arrivals = new Map<string, Arrival[]>();
  const taken = new Map<string, Set<string>>();
  for (const follow of follows) {
    const { folder = "" } = follow.target.home;
    const ids = taken.get(folder) ?? new Set();
    taken.set(folder, ids);
    const part = await rescueStore(fs, follow.from.store, { ...request, leaving: { follow, taken: ids } });
    const { arrivals: own = [], stay = [] } = part.departure ?? {};
    leaving.push(part);
    arrivals.set(folder, [...(arrivals.get(folder) ?? []), ...own]);
    if (own.length > 0)
      adoptions.push({ from: follow.folder, to: follow.to, sessions: own.length, why: follow.why });
    for (const { title, why } of stay) adoptions.push(toLeft(follow.from, `"${title}": ${why}`, 1));
  }
  const seen = new Set<string>();
  for (const { from } of follows) seen.add(await realPath(fs, from.store.folder ?? ""));
  // A folder that cannot be listed is reported by the scan.
  for (const store of await findStores(fs, root, () => undefined)) {
    // A link to a workspace beside it is a second name for the same chats.
    const real = await realPath(fs, store.folder ?? store.database);
    if (seen.has(real)) continue;
    seen.add(real);
    const arriving = arrivals.get(store.folder ?? "");
    staying.push(await rescueStore(fs, store, { ...request, arriving }));
    arrivals.delete(store.folder ?? "");
  }
  for (const follow of follows) {
    const { folder = "" } = follow.target.home;
    const own = arrivals.get(folder) ?? [];
    arrivals.delete(folder);
    if (own.length > 0) unopened.push(await newStore(fs, follow, own, request.now));
  }
  // Chats are listed in their new workspace before they go from the old one.
  const parts = [...unopened, ...staying, ...leaving];
  return {
    sessions: parts.flatMap(({ sessions }) => sessions),
    basis: parts.flatMap(({ basis }) => basis),
    steps: parts.flatMap(({ steps }) => steps),
    repairs: parts.flatMap(({ repairs }) => repairs),
    losses: withLost({
      repairs: parts.flatMap(({ repairs }) => repairs),
      losses: parts.flatMap(({ losses }) => losses),
    }),
    ...(request.adopt && { adoptions }),
  };
}

/** Of a folder that VS Code has not opened yet. */
const newStore = async (
  fs: SessionFs,
  follow: Follow,
  arrivals: readonly Arrival[],
  now: Date,
): Promise<RescueAllDraft> => ({
  sessions: arrivals.map(({ id, path }) => ({ source: SOURCE, id, path })),
  basis: [],
  steps: await arriveUnopened(fs, follow, arrivals, now),
  repairs: arrivals.map(({ repair }) => repair),
  losses: [],
});

const withLost = ({ losses, repairs }: Pick<RescueAllDraft, "losses" | "repairs">): Advice[] => [
  ...toLosses(repairs),
  ...losses,
];
