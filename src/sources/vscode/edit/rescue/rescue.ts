/** Repairs chats in place, one or all below a root, with VS Code's lists of chats. */
import { basename, dirname } from "node:path";
import type { Draft } from "../../../../model/plan.ts";
import type { Artifact } from "../../../../model/session/session.ts";
import { realPath } from "../../../../platform/fs/fs-links.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import type { RescueAllDraft } from "../../../editor.ts";
import type { RescueAllRequest } from "../../../requests.ts";
import { SOURCE } from "../../format/problems.ts";
import { findStores } from "../../index-db/stores.ts";
import { homeOf } from "../copy/session-home.ts";
import { rescueStore } from "./store.ts";

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
  const parts = [];
  const seen = new Set<string>();
  // A folder that cannot be listed is reported by the scan.
  for (const store of await findStores(fs, root, () => undefined)) {
    // A link to a workspace beside it is a second name for the same chats.
    const real = await realPath(fs, store.folder ?? store.database);
    if (seen.has(real)) continue;
    seen.add(real);
    parts.push(await rescueStore(fs, store, request));
  }
  return {
    sessions: parts.flatMap(({ sessions }) => sessions),
    basis: parts.flatMap(({ basis }) => basis),
    steps: parts.flatMap(({ steps }) => steps),
    repairs: parts.flatMap(({ repairs }) => repairs),
    losses: withLost({
      repairs: parts.flatMap(({ repairs }) => repairs),
      losses: parts.flatMap(({ losses }) => losses),
    }),
  };
}

/** Up to this many are listed one by one; all of them are among the repairs. */
const TOLD = 12;

function withLost({ losses, repairs }: Pick<RescueAllDraft, "losses" | "repairs">): string[] {
  const lost = repairs.filter(({ isLost }) => isLost);
  return [
    ...lost
      .slice(0, TOLD)
      .map(
        ({ path, title, line, what }) =>
          `${title ?? path}${line === undefined ? "" : `, line ${line}`}: ${what}`,
      ),
    ...(lost.length > TOLD ? [`and ${lost.length - TOLD} more places, which --json lists`] : []),
    ...losses,
  ];
}
