/** The session page of this machine's own server. */
import { LOCAL_PARTS } from "./local-parts.tsx";
import { SessionView } from "./session-view.tsx";

export const SessionPage = () => <SessionView parts={LOCAL_PARTS} />;
