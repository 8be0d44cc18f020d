/** Builds the families of forks, clones and handoffs: all of them, or that of one session. */

import { everyRelative, type Relative, toFamilies } from "../model/session/lineage.ts";
import type { Session } from "../model/session/session.ts";
import { formatKey, type SessionKey } from "../model/values/id.ts";
import type { SessionStore } from "../store/session-store.ts";
import { findSessions } from "../store/sessions.ts";
import type { LineageRow } from "../store/state/lineage.ts";

export type { Relative } from "../model/session/lineage.ts";

export interface Tree {
  /** None, where nothing came from anything; the one of the session asked for, or none if it has no relatives. */
  readonly families: readonly Relative[];
  readonly asked?: Session;
}

export function treeOf(
  { db }: Pick<SessionStore, "db">,
  recorded: readonly LineageRow[],
  asked?: SessionKey,
): Tree {
  const sessions = findSessions(db, {});
  const families = toFamilies(sessions, recorded);
  if (!asked) return { families };
  const is = (key: SessionKey): boolean => formatKey(key) === formatKey(asked);
  const session = sessions.find(is);
  return {
    families: families.filter((family) => everyRelative(family).some((relative) => is(relative.key))),
    ...(session && { asked: session }),
  };
}
