/** What the palette offers for the words that are typed: sessions, a search, and the actions of the view. */
import type { HubNamed } from "../../../src/client/hub-types.ts";
import type { Page } from "../../../src/client/types.ts";
import type { Shortcut } from "../keys/keys.ts";
import { toKey } from "../lib/session-key.ts";
import { line, titleOf } from "../lib/titles.ts";
import { synonymsOf } from "./synonyms.ts";

export interface Entry {
  readonly id: string;
  readonly label: string;
  readonly run: () => void;
  readonly keys?: string;
  /** It cannot be done here, and why. */
  readonly refusal?: string;
  readonly session?: { readonly source: string; readonly updatedAt: string | null; readonly where: string };
}

export interface EntryGroup {
  readonly label: string;
  readonly items: readonly Entry[];
}

interface Ways {
  readonly open: (key: string) => void;
  readonly search: (words: string) => void;
}

type Listed = readonly (Page<"list">["sessions"][number] & Partial<HubNamed>)[];

export type Action = Pick<Shortcut, "label" | "group" | "run" | "refusal"> & { readonly keys?: string };

/** Before anything is typed, the actions are in sight below the latest sessions. */
const FEW_SESSIONS = 6;

export function entriesFor(
  words: string,
  { sessions, isBehind }: { readonly sessions: Listed; readonly isBehind: boolean },
  actions: readonly Action[],
  ways: Ways,
): EntryGroup[] {
  const parts = words.toLowerCase().split(/\s+/);
  const has = (text: string): boolean => parts.every((part) => text.toLowerCase().includes(part));
  const found = actions
    .filter(({ label, group }) => has([label, group, ...synonymsOf(label)].join(" ")))
    .map(
      ({ label, run, keys, refusal }): Entry => ({
        id: `action ${label}`,
        label,
        run,
        ...(keys && { keys }),
        ...(refusal && { refusal }),
      }),
    );
  // The answer for the words before must not be opened for these.
  const listed = isBehind ? sessions.filter((session) => has(textOf(session))) : sessions;
  const sessionGroup = {
    label: words === "" ? "Latest sessions" : "Sessions",
    items: listed.slice(0, words === "" ? FEW_SESSIONS : undefined).map((session) => toEntry(session, ways)),
  };
  const searchGroup = {
    label: "Search",
    items:
      words === ""
        ? []
        : [
            {
              id: "search",
              label: `Search everything that was said for “${words}”`,
              run: () => ways.search(words),
            },
          ],
  };
  const actionGroup = { label: "Actions", items: found };
  // Who types how an action begins means the action.
  const isAction = words !== "" && found.some(({ label }) => beginsWith(label, words));
  const groups = isAction
    ? [actionGroup, sessionGroup, searchGroup]
    : [sessionGroup, actionGroup, searchGroup];
  return groups.filter(({ items }) => items.length > 0);
}

const beginsWith = (label: string, words: string): boolean =>
  [label.toLowerCase().replace(/^go to /, ""), ...synonymsOf(label)].some((name) =>
    name.startsWith(words.toLowerCase()),
  );

const textOf = ({ title, repository, branch, workspace, person }: Listed[number]): string =>
  [title, repository, branch, workspace, person].join(" ");

const toEntry = (session: Listed[number], { open }: Ways): Entry => ({
  id: toKey(session),
  label: titleOf(session),
  run: () => open(toKey(session)),
  session: {
    source: session.source,
    updatedAt: session.updatedAt,
    where: line(
      session.person === undefined
        ? [session.repository ?? session.workspace, session.branch].filter(Boolean).join(" @ ")
        : [session.person, session.repository].filter(Boolean).join(" · "),
    ),
  },
});
