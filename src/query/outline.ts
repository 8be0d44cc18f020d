/** Lists the turns of a session in a line each, without reading its log where the store knows it. */
import { countsAgainst, type Problem } from "../model/problem.ts";
import { createOutline, type Outline } from "../model/session/outline.ts";
import type { Artifact, Session } from "../model/session/session.ts";
import type { Catalog } from "../sources/catalog.ts";
import type { StoredOutline } from "../store/outline.ts";
import { type Progress, readHead, withinFile } from "./heads.ts";
import { locateSession, type Naming, resolveSession } from "./resolve.ts";

export interface SessionOutline extends Outline {
  /** With what lies beside its log. */
  readonly session: Session;
  /** Those that count against it. */
  readonly problems: readonly Problem[];
}

export interface OutlineOptions {
  /** Asks the store; nothing when it does not know the session as it is now. */
  readonly stored?: (artifact: Artifact) => Promise<StoredOutline | undefined>;
  readonly progress?: Progress;
  readonly naming?: Naming;
}

export async function outlineOf(
  catalog: Catalog,
  name: string,
  { stored, progress, naming }: OutlineOptions = {},
): Promise<SessionOutline> {
  const place = await locateSession(catalog, name, progress, naming);
  const known = await stored?.(place);
  if (known) {
    const { openIn, sidecars } = await readBeside(catalog, place);
    const beside = { ...(openIn !== undefined && { openIn }), ...(sidecars && { sidecars }) };
    return {
      ...known,
      session: { ...known.session, ...beside },
      problems: known.problems.filter(countsAgainst),
    };
  }
  // What the scan finds around a session is told with it.
  const { artifact, problems } = await resolveSession(catalog, name, progress, naming);
  const outline = createOutline({ ranges: catalog.readsRanges(artifact.source) });
  const within = withinFile(progress);
  const head = await readHead(catalog, artifact, problems, (event, of) => {
    within?.(event, of);
    outline.event(event);
  });
  return {
    session: head.session,
    problems: head.problems.filter(countsAgainst),
    ...outline.end(artifact.fingerprint.size),
  };
}

/** Who has the session open, and what lies beside its log. */
const readBeside = (catalog: Catalog, artifact: Artifact): Promise<Session> =>
  catalog.read(
    artifact,
    { event: () => undefined, problem: () => undefined },
    { range: { start: 0, end: 0, line: 1 } },
  );
