/** Checks whether a plan may be applied now: at the start, and again right before the first rename. */
import { AppError } from "../../model/errors.ts";
import { type EditPlan, isOfSettings, type PlannedSession, sessionsOf } from "../../model/plan.ts";
import { formatKey, shortId } from "../../model/values/id.ts";
import type { SessionFs } from "../../platform/fs/session-fs.ts";
import { createProcessLook, nameOf, type ProcessLook } from "../../platform/process/process-look.ts";
import type { Catalog } from "../../sources/catalog.ts";
import type { SharedDatabase } from "../../sources/editor.ts";
import { findChanged } from "./compare-entries.ts";
import { claimed, isClaimed } from "./locks.ts";

/** `home` is our own data folder. */
export async function check(catalog: Catalog, home: string, plan: EditPlan): Promise<void> {
  const taken = plan.closed.find((session) => isClaimed(home, session));
  if (taken) throw claimed(taken.id);
  const look = createProcessLook();
  await checkClosed(catalog, plan, look);
  await checkPrograms(catalog, plan, look);
  await checkUnchanged(catalog.fs, plan);
}

/** Throws where something is no longer as it was when the plan was made. */
export async function checkUnchanged(fs: SessionFs, plan: EditPlan): Promise<void> {
  const changed = await findChanged(fs, plan.steps, plan.basis);
  if (changed === undefined) return;
  throw plan.undoes === undefined ? changedMeanwhile(changed) : changedSince(plan, changed);
}

/** Throws where one of the sessions that must be closed is open in its program. */
export async function checkClosed(
  catalog: Catalog,
  plan: EditPlan,
  look: ProcessLook = createProcessLook(),
): Promise<void> {
  const open = (await findOwners(catalog, plan, look)).filter(isMinded(plan));
  const [first, second] = open;
  if (first) throw second ? manyBusy(plan, open) : busy(first.session, first.pid);
}

/** Some programs have their list of sessions in memory while they run, and write it over whatever others change. */
export async function checkPrograms(
  catalog: Catalog,
  plan: EditPlan,
  look: ProcessLook = createProcessLook(),
): Promise<void> {
  if (isOfSettings(plan)) return;
  const [user] = (await findUsers(catalog, plan, look)).filter(isMinded(plan));
  if (user) throw user.error;
}

export interface Blocker {
  readonly pid: number;
  /** The program's name, if the system reports it. */
  readonly program?: string;
}

/** Programs that would write over a change of these files. */
export async function findBlockers(catalog: Catalog, paths: readonly string[]): Promise<Blocker[]> {
  const look = createProcessLook();
  const found = new Map<number, Blocker>();
  for (const { source } of catalog.sources) {
    const database = await databaseOf(catalog, source);
    for (const path of database ? paths : []) {
      const pid = await database?.findUser(catalog.fs, path, look);
      if (pid === undefined || found.has(pid)) continue;
      const program = nameOf(look, pid);
      found.set(pid, { pid, ...(program !== undefined && { program }) });
    }
  }
  return [...found.values()];
}

/** Nothing where sessions can only be read, or are in no database. */
async function databaseOf(catalog: Catalog, source: string): Promise<SharedDatabase | undefined> {
  try {
    return (await catalog.editing({ source })).editor.database;
  } catch (error) {
    if (error instanceof AppError && error.code === "not-supported") return undefined;
    throw error;
  }
}

/** The same plan for a user who knows better: processes that have now open what it changes do not keep it from being carried out. */
export async function ignoreHolders(catalog: Catalog, plan: EditPlan): Promise<EditPlan> {
  const look = createProcessLook();
  const found = [
    ...(await findOwners(catalog, plan, look)).map(({ pid, session }) => ({ pid, session: session.id })),
    ...(await findUsers(catalog, plan, look)).map(({ pid }) => ({ pid })),
  ];
  if (found.length === 0) return plan;
  const ignoring = found.map((each) => {
    const program = nameOf(look, each.pid);
    return { ...each, ...(program !== undefined && { program }) };
  });
  return { ...plan, ignoring: [...(plan.ignoring ?? []), ...ignoring] };
}

/** A process that appears later was not ignored by the user. */
const isMinded =
  ({ ignoring = [] }: EditPlan) =>
  ({ pid }: { readonly pid: number }): boolean =>
    !ignoring.some((each) => each.pid === pid);

interface SessionOwner {
  readonly session: PlannedSession;
  readonly pid: number;
}

/** A session may be open under another name, and the name that we know may lead elsewhere by now. */
async function findOwners(
  catalog: Catalog,
  { closed }: EditPlan,
  look: ProcessLook,
): Promise<SessionOwner[]> {
  const behind = closed.flatMap((each) => (each.realPath ? [{ ...each, path: each.realPath }] : []));
  const owners = await catalog.owners([...closed, ...behind], look);
  return closed.flatMap((session) => {
    const pid = owners.get(session.path) ?? owners.get(session.realPath ?? session.path);
    return pid === undefined ? [] : [{ session, pid }];
  });
}

interface DatabaseUser {
  readonly pid: number;
  readonly error: AppError;
}

/** One for each process. */
async function findUsers(catalog: Catalog, plan: EditPlan, look: ProcessLook): Promise<DatabaseUser[]> {
  const users = new Map<number, DatabaseUser>();
  for (const source of new Set(sessionsOf(plan).map((session) => session.source))) {
    const database = await databaseOf(catalog, source);
    // The program is found by the names that it uses, and by the files that it has open.
    for (const { path, as = path } of database ? plan.steps : []) {
      for (const each of new Set([as, path])) {
        const pid = await database?.findUser(catalog.fs, each, look);
        if (pid !== undefined && database) users.set(pid, { pid, error: database.inUse(pid) });
      }
    }
  }
  return [...users.values()];
}

const busy = (session: PlannedSession, pid: number): AppError =>
  new AppError(
    "session-busy",
    `Session ${session.id} is open in its own program (process ${pid}), which would not notice the change`,
    {
      say: "Close it there, or work on a copy",
      remedy: { action: "clone", session: formatKey({ ...session, id: shortId(session.id) }) },
      after: "; if it is not open there, add --ignore-lock",
    },
  );

function manyBusy({ move }: EditPlan, open: readonly SessionOwner[]): AppError {
  const titles = new Map(move?.sessions?.map(({ id, title }) => [id, title]));
  const names = open.map(({ session, pid }) => {
    const title = titles.get(session.id);
    return `${title === undefined ? session.id : `"${title}"`} (process ${pid})`;
  });
  return new AppError(
    "session-busy",
    `${open.length} sessions are open in their own program, which would not notice the change: ${names.join(", ")}`,
    "Close them there, then run the command again; if they are not open, add --ignore-lock",
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
    { say: "See later writes", remedy: { action: "history" } },
  );
