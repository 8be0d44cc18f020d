/** Which sessions may leave, found through the store: their places and repositories, never their texts. */
import { createRules, type Decision } from "../../hub/sync/rules.ts";
import type { Artifact, Session } from "../../model/session/session.ts";
import { formatKey } from "../../model/values/id.ts";
import { isAbsolutePath } from "../../model/values/paths.ts";
import { realPath } from "../../platform/fs/fs-links.ts";
import { findSessions } from "../../store/sessions.ts";
import type { PrivateSession, SyncRule } from "../../store/state/sync.ts";
import { toFilter } from "../filters.ts";
import type { Request } from "../request.ts";
import type { PushFilter, RepositoryShare } from "./contract.ts";

export interface Candidate {
  readonly session: Session;
  readonly decision: Decision;
}

export async function findCandidates(
  { catalog, askStore, find }: Pick<Request, "catalog" | "askStore" | "find">,
  { sessions: names = [], repository, since }: PushFilter,
  rules: readonly SyncRule[],
  privates: readonly PrivateSession[],
): Promise<readonly Candidate[]> {
  const named = new Set<string>();
  for (const name of names) named.add(formatKey((await find(name)).artifact));
  const place = { ...(repository !== undefined && { repository }), ...(since && { since }) };
  const filter = await toFilter(place, catalog);
  const found = await askStore({}, ({ db }) => findSessions(db, filter));
  const decide = createRules(rules, privates);
  const real = rules.some(({ kind }) => kind === "folder") ? await realFolders(catalog, found) : NONE;
  return found
    .filter((session) => names.length === 0 || named.has(formatKey(session)))
    .map((session) => {
      const realWorkspace = real.get(session.workspace ?? "");
      return {
        session,
        decision: decide({ ...session, ...(realWorkspace !== undefined && { realWorkspace }) }),
      };
    });
}

const NONE: ReadonlyMap<string, string> = new Map();

/** An editor keeps the name by which a folder was opened, which may be a link; a rule means the folder. */
async function realFolders(
  { fs }: Request["catalog"],
  sessions: readonly Session[],
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const folder of new Set(sessions.map(({ workspace }) => workspace ?? ""))) {
    const real = isAbsolutePath(folder) ? await realPath(fs, folder).catch(() => folder) : folder;
    if (real !== folder) found.set(folder, real);
  }
  return found;
}

/** The artifacts of sessions, by their keys; not of those of which only our own copy is left. */
export async function artifactsByKey({
  catalog,
}: Pick<Request, "catalog">): Promise<ReadonlyMap<string, Artifact>> {
  const { artifacts } = await catalog.scan();
  const found = new Map<string, Artifact>();
  for (const artifact of artifacts) {
    const before = found.get(formatKey(artifact));
    const isNewer = !before || artifact.fingerprint.mtimeMs > before.fingerprint.mtimeMs;
    if (artifact.vanishedAt === undefined && isNewer) found.set(formatKey(artifact), artifact);
  }
  return found;
}

/** What would leave by repository, those with most sessions first. */
export function toShares(candidates: readonly Candidate[]): readonly RepositoryShare[] {
  const groups = Map.groupBy(candidates, ({ session: { repository }, decision }) =>
    JSON.stringify([repository?.toLowerCase() ?? null, kindOf(decision)]),
  );
  return [...groups.values()]
    .map((own): RepositoryShare => {
      const [first] = own;
      const decision = first?.decision;
      const repository = first?.session.repository;
      return {
        ...(repository !== undefined && { repository }),
        sessions: own.length,
        bytes: own.reduce((sum, { session }) => sum + session.bytes, 0),
        sends: !decision?.sends ? "nothing" : decision.isSealed ? "sealed" : "plain",
        ...(decision && !decision.sends && { why: decision.why }),
      };
    })
    .sort((a, b) => b.sessions - a.sessions || ((a.repository ?? "") < (b.repository ?? "") ? -1 : 1));
}

const kindOf = (decision: Decision): string => (decision.sends ? String(decision.isSealed) : decision.why);
