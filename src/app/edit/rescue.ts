/** Plans the repair of all sessions of one source as one write. */

import { join } from "node:path";
import { artifactAt, measure } from "../../edit/apply/verify.ts";
import { createPlannedFs } from "../../edit/plan/planned-fs.ts";
import { atRealPlaces, withRealPath } from "../../edit/plan/real-places.ts";
import { AppError } from "../../model/errors.ts";
import type { EditPlan, PlannedSession, Step } from "../../model/plan.ts";
import type { Adoption, Repair } from "../../model/plan-facts.ts";
import type { Advice } from "../../model/remedy.ts";
import { append } from "../../model/values/lists.ts";
import { realPath } from "../../platform/fs/fs-links.ts";
import { localFs } from "../../platform/fs/local.ts";
import { reasonOf, type SessionFs } from "../../platform/fs/session-fs.ts";
import type { Progress } from "../../query/heads.ts";
import { knownSources } from "../../query/list.ts";
import type { Catalog } from "../../sources/catalog.ts";
import { openArchive } from "../../store/state/archive.ts";
import { createVaultFs } from "../../store/vault/fs.ts";

/** Without steps when nothing is wrong that could be put right. */
export async function planRescueAll(
  catalog: Catalog,
  wanted: string,
  { now, home, adopt }: { readonly now: Date; readonly home: string; readonly adopt: boolean },
  progress: Progress,
): Promise<EditPlan> {
  const [source = wanted] = knownSources(catalog, [wanted]);
  const { source: reader, editor } = await catalog.editing({ source });
  const { label, roots = [] } = catalog.sources.find((each) => each.source === source) ?? {};
  if (!editor.repairs?.all)
    throw new AppError("not-supported", `Rethread cannot repair all sessions of ${label} at once`, {
      say: "Repair the damaged ones",
      remedy: { action: "rescue" },
    });
  const sessions: PlannedSession[] = [];
  const basis: EditPlan["basis"][number][] = [];
  const steps: Step[] = [];
  const repairs: Repair[] = [];
  const losses: Advice[] = [];
  const adoptions: Adoption[] = [];
  const hideout = await realPath(catalog.fs, editor.stagingDir(roots[0] ?? ""));
  for (const [done, root] of roots.entries()) {
    progress(done, roots.length);
    const drawn = await editor.repairs.all(catalog.fs, root, {
      now,
      adopt,
      kept: (path) => findCopy(home, now, { source, path }),
    });
    const draft = await atRealPlaces(catalog.fs, drawn);
    append(adoptions, drawn.adoptions ?? []);
    const near = await realPath(catalog.fs, editor.stagingDir(root));
    for (const session of draft.sessions) sessions.push(await withRealPath(catalog.fs, session));
    append(basis, draft.basis);
    append(
      steps,
      draft.steps.map((step) => (near === hideout ? step : { ...step, hideout: near })),
    );
    append(repairs, draft.repairs);
    append(losses, draft.losses);
  }
  const planned = createPlannedFs(catalog.fs, steps);
  const expected = [];
  for (const session of sessions) {
    const isThere = await planned.exists(session.path);
    const { turns, context } = isThere
      ? await measure(reader, planned, await artifactAt(planned, session)).catch((error) => {
          throw unprovable(session, error);
        })
      : { turns: 0, context: "" };
    expected.push({ ...session, ...(isThere && { expected: { turns, context } }) });
  }
  const [first = { source, id: "", path: steps[0]?.path ?? "" }, ...also] = expected;
  const { expected: intention, ...session } = { expected: undefined, ...first };
  return {
    kind: "rescue",
    title: `${whatOf(sessions.length)} of ${label}`,
    from: { source, id: session.id },
    session,
    ...(intention && { expected: intention }),
    also,
    closed: sessions,
    hideout,
    basis,
    steps,
    repairs,
    losses,
    ...(adoptions.length > 0 && { adoptions }),
  };
}

/** Where no session's own file changes, it is the program's list of them that is repaired. */
const whatOf = (sessions: number): string =>
  sessions === 0 ? "the list of sessions" : `${sessions} ${sessions === 1 ? "session" : "sessions"}`;

/** What cannot be read back is not written. */
const unprovable = ({ path }: PlannedSession, error: unknown): AppError =>
  new AppError(
    "unreadable",
    `${path} could not be read after the repair: ${reasonOf(error)}`,
    {
      say: "Repair the other chats one by one",
      remedy: { action: "rescue", asks: { session: "vscode:<id>" } },
    },
    error,
  );

/** What the archive has of a session at this path. */
async function findCopy(
  home: string,
  now: Date,
  session: Pick<PlannedSession, "source" | "path">,
): Promise<SessionFs | undefined> {
  if (!(await localFs.exists(join(home, "state.db")))) return undefined;
  const archive = openArchive(home, () => now);
  try {
    const files = archive.filesOf(session);
    return files.length > 0 ? createVaultFs(archive.vault, files) : undefined;
  } finally {
    archive.close();
  }
}
