/** The sessions of this machine, which can be changed several at once. */
import { useChangeKeys } from "./list-keys.ts";
import { NoSessions } from "./no-sessions.tsx";
import { SelectionBar } from "./selection-bar.tsx";
import { type SessionsParts, SessionsView } from "./sessions-view.tsx";

const PARTS: SessionsParts = {
  SelectionBar,
  useKeys: useChangeKeys,
  None: NoSessions,
  placeholder: "Filter by title, repository, branch, folder or first prompt",
};

export const Sessions = () => <SessionsView parts={PARTS} />;
