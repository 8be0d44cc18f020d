/** The sessions that one may see: one's own, and those that teams share. */
import { type SessionsParts, SessionsView } from "../../pages/sessions/sessions-view.tsx";
import { NothingShared } from "./nothing-shared.tsx";

const PARTS: SessionsParts = {
  useKeys: () => undefined,
  None: NothingShared,
  placeholder: "Filter by title, repository, branch or first prompt",
};

export const Sessions = () => <SessionsView parts={PARTS} />;
