/** May a plan be carried out now? Asked when it begins, and once more right before the first rename. */
import { AppError } from "../model/errors.ts";
import { formatKey, shortId } from "../model/id.ts";
import { type EditPlan, type PlannedSession, sessionsOf } from "../model/plan.ts";
import type { Catalog } from "../sources/catalog.ts";
import { findChanged } from "./compare-entries.ts";

export async function check(catalog: Catalog, plan: EditPlan): Promise<void> {
  const open = await findOpen(catalog, plan.closed);
  const [first, second] = open;
  if (first) throw second ? manyBusy(plan, open) : busy(first.session, first.pid);
  await checkPrograms(catalog, plan);
  const changed = findChanged(plan.steps, plan.basis);
  if (changed === undefined) return;
  throw plan.undoes === undefined ? changedMeanwhile(changed) : changedSince(plan, changed);
}

/** A session may be open under another name, and the name that we know may lead elsewhere by now. */
async function findOpen(
  catalog: Catalog,
  sessions: readonly PlannedSession[],
): Promise<{ session: PlannedSession; pid: number }[]> {
  const behind = sessions.flatMap((each) => (each.realPath ? [{ ...each, path: each.realPath }] : []));
  const owners = await catalog.owners([...sessions, ...behind]);
  return sessions.flatMap((session) => {
    const pid = owners.get(session.path) ?? owners.get(session.realPath ?? session.path);
    return pid === undefined ? [] : [{ session, pid }];
  });
}

/** Some programs have their list of sessions in memory while they run, and write it over whatever others change. */
export async function checkPrograms(catalog: Catalog, plan: EditPlan): Promise<void> {
  for (const source of new Set(sessionsOf(plan).map((session) => session.source))) {
    const { database } = (await catalog.editing({ source })).editor;
    // The program is found by the names that it uses, and by the files that it has open.
    for (const { path, as = path } of database ? plan.steps : []) {
      for (const each of new Set([as, path])) {
        const pid = await database?.findUser(catalog.fs, each);
        if (pid !== undefined) throw database?.inUse(pid);
      }
    }
  }
}

const busy = (session: PlannedSession, pid: number): AppError =>
  new AppError(
    "session-busy",
    `Session ${session.id} is open in its own program (process ${pid}), which would not notice the change`,
    `Close it there first, or leave it alone and work on a copy: rethread clone ${formatKey({ ...session, id: shortId(session.id) })}`,
  );

function manyBusy(
  { move }: EditPlan,
  open: readonly { readonly session: PlannedSession; readonly pid: number }[],
): AppError {
  const titles = new Map(move?.sessions?.map(({ id, title }) => [id, title]));
  const names = open.map(({ session, pid }) => {
    const title = titles.get(session.id);
    return `${title === undefined ? session.id : `"${title}"`} (process ${pid})`;
  });
  return new AppError(
    "session-busy",
    `${open.length} sessions are open in their own program, which would not notice the change: ${names.join(", ")}`,
    "Close them there, then run the command again",
  );
}

export const changedMeanwhile = (path: string): AppError =>
  new AppError(
    "session-changed",
    `${path} changed since the plan was made, so nothing was written`,
    "Run the command again",
  );

const changedSince = ({ undoes }: EditPlan, path: string): AppError =>
  new AppError(
    "changed-since",
    `${path} was changed since operation ${undoes}; undoing that would lose the change, so nothing was written`,
    "See what was written since: rethread history",
  );
