/** Which sessions are selected; a range goes from the last one that was. */
import { useMemo, useState } from "react";
import { toKey } from "../../lib/session-key.ts";
import type { SessionRow } from "./session-query.ts";

export interface Selection {
  readonly sessions: readonly SessionRow[];
  has(session: SessionRow): boolean;
  toggle(session: SessionRow, isRange: boolean): void;
  replace(sessions: readonly SessionRow[]): void;
  clear(): void;
}

export function useSelection(listed: readonly SessionRow[]): Selection {
  const [selected, setSelected] = useState<ReadonlyMap<string, SessionRow>>(new Map());
  const [anchor, setAnchor] = useState<string>();
  // As they are now: a selected one may have changed since.
  const sessions = useMemo(() => {
    if (selected.size === 0) return [];
    const now = new Map(listed.map((session) => [toKey(session), session]));
    return [...selected].map(([key, before]) => now.get(key) ?? before);
  }, [selected, listed]);
  return {
    sessions,
    has: (session) => selected.has(toKey(session)),
    toggle(session, isRange) {
      const isOn = !selected.has(toKey(session));
      const [from, to] = [
        listed.findIndex((each) => toKey(each) === anchor),
        listed.findIndex((each) => toKey(each) === toKey(session)),
      ];
      const range =
        isRange && from >= 0 && to >= 0
          ? listed.slice(Math.min(from, to), Math.max(from, to) + 1)
          : [session];
      setSelected((before) => {
        const after = new Map(before);
        for (const each of range)
          if (isOn) after.set(toKey(each), each);
          else after.delete(toKey(each));
        return after;
      });
      setAnchor(toKey(session));
    },
    replace: (sessions) => setSelected(new Map(sessions.map((each) => [toKey(each), each]))),
    clear() {
      setSelected(new Map());
      setAnchor(undefined);
    },
  };
}
