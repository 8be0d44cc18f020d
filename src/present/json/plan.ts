/** Plans and writes as JSON: the shape that all changes share, and what some kinds add to it. */
import type { EditWrite, Migrated, Migration, VendorRows } from "../../app/contract.ts";
import type { Fidelity } from "../../model/handoff/fidelity.ts";
import { type EditPlan, entriesOf } from "../../model/plan.ts";
import type { Adoption, Repair } from "../../model/plan-facts.ts";
import { adviceFor, inDemo, toCommand, toHint } from "../../model/remedy.ts";
import { shortId } from "../../model/values/id.ts";
import { isAtOrBelow } from "../../model/values/paths.ts";
import { resumeText } from "../text/command-text.ts";
import type { Home } from "./shapes.ts";
import { stepFacts } from "./step-facts.ts";

export const toPlanJson = (plan: EditPlan, home: Home) => ({
  // What concerns a whole list may concern no session at all.
  session: plan.session.id === "" ? null : { source: plan.session.source, id: plan.session.id },
  sessionPath: sessionPathOf(plan),
  resume: plan.isContinuable ? resumeText(plan.session, home.demo !== undefined) : null,
  plan: {
    kind: plan.kind,
    from: plan.from,
    steps: plan.steps.map((step) => ({
      does: step.does,
      path: step.path,
      ...(step.as !== undefined && { as: step.as }),
      ...(step.does === "set" ? { entries: step.cells.length } : stepFacts(step, plan)),
    })),
    reads: plan.basis.flatMap(({ entry }) => (entry.kind === "file" ? [entry.path] : [])),
    undoes: plan.undoes ?? null,
  },
  stats: plan.stats ?? null,
  losses: plan.losses.map((loss) => toHint(adviceFor(loss, home.demo !== undefined))),
  risks: risksOf(plan),
  ...(plan.kind === "move" && toMoveJson(plan)),
  ...(plan.kind === "delete" && toDeletedJson(plan)),
  ...(plan.kind === "rewind" && toRewindJson(plan)),
  ...((plan.kind === "import" || plan.kind === "restore") && toAlsoJson(plan)),
  ...((plan.kind === "clone" || plan.kind === "compact") && { ledger: plan.ledger ?? null }),
  ...(plan.kind === "clone" && {
    ...toRepairsJson(plan),
    ...toPathsJson(plan),
    name: plan.name ?? null,
    alreadyFits: plan.alreadyFits ?? false,
  }),
  ...((plan.kind === "clone" || plan.kind === "fork") && { workspace: plan.workspace ?? null }),
  ...(plan.kind === "handoff" && toHandoffJson(plan)),
  ...(plan.checkpoint && { checkpoint: plan.checkpoint }),
  ...(plan.kind === "scrub" && { redactions: plan.redactions ?? [] }),
  ...(plan.server && { server: { ...plan.server, entry: plan.server.entry ?? null } }),
});

const NOTHING: Fidelity = { native: {}, text: {}, dropped: {}, reasons: [] };

export const toHandoffJson = ({ fidelity = NOTHING, workspace }: EditPlan) => ({
  fidelity,
  workspace: workspace ?? null,
});

export const toRewindJson = ({ files = [], removed }: EditPlan) => ({
  files: files.map(({ skipped: _, ...file }) => file),
  skippedFiles: files.flatMap(({ path, skipped }) => (skipped ? [{ path, reason: skipped }] : [])),
  eventsRemoved: removed?.events ?? null,
  upToEventId: removed?.from ?? null,
});

/** Null where the write leaves none behind. */
function sessionPathOf({ session, steps, kind }: EditPlan): string | null {
  const { id, path, realPath = path } = session;
  if (id === "" || kind === "delete") return null;
  const isRemoved = steps.some((step) => step.does === "remove" && isAtOrBelow(realPath, step.path));
  return isRemoved && !steps.some((step) => entriesOf(step).some((entry) => entry.path === realPath))
    ? null
    : path;
}

export const toAlsoJson = ({ also = [] }: EditPlan) => ({
  also: also.map(({ source, id }) => ({ source, id })),
});

export function toMoveJson({ session, title, move }: EditPlan) {
  if (!move) return { sessions: [] };
  const { sessions = [{ source: session.source, id: session.id, title }], folders = [], ...facts } = move;
  return { move: { ...facts, folders }, sessions };
}

export const toDeletedJson = ({ from, title, named = [{ ...from, title }] }: EditPlan) => ({
  sessions: named,
});

/** What may go wrong, in words. */
export const risksOf = ({ ignoring = [] }: Pick<EditPlan, "ignoring">): string[] =>
  ignoring.map(({ pid, program, session }) => {
    const what = session === undefined ? "what is changed here" : `session ${shortId(session)}`;
    return `process ${pid}${program === undefined ? "" : ` (${program})`} seems to have ${what} open; if so, it does not notice this write, and may overwrite it`;
  });

export const toVendorRowsJson = (all: readonly VendorRows[], home: Home) =>
  all.map(({ path, tables, trouble }) => ({
    path,
    tables,
    trouble: trouble === undefined ? null : toHint(adviceFor(trouble, home.demo !== undefined)),
  }));

export const toPathsJson = ({ paths }: EditPlan) => ({ paths: paths ?? null });

export const toRepairsJson = ({ repairs = [] }: EditPlan) => ({ repairs: repairs.map(toRepairJson) });

/** What a rescue has beside the plan. */
export const toRescuedJson = (plan: EditPlan, home: Home) => ({
  ...toRepairsJson(plan),
  adoptions: (plan.adoptions ?? []).map((each) => toAdoptionJson(each, home)),
});

const toAdoptionJson = ({ from, to, sessions, why, remedy }: Adoption, home: Home) => {
  const next = remedy && home.demo !== undefined ? inDemo(remedy) : remedy;
  return {
    from,
    to: to ?? null,
    sessionCount: sessions,
    why,
    fix: next ? toCommand(next) : null,
    ...(next && { remedy: next }),
  };
};

const toRepairJson = ({ path, line, start, end, what, isLost, title, workspace }: Repair) => ({
  path,
  line: line ?? null,
  start: start ?? null,
  end: end ?? null,
  what,
  lost: isLost ?? false,
  title: title ?? null,
  workspace: workspace ?? null,
});

/** With the fields that all writing commands share; no single session results, so there is none to name. */
export const toMigrationJson = ({ facts, plan }: Migration, done?: Migrated) => ({
  operation: done?.operation ?? null,
  session: null,
  sessionPath: null,
  backupPath: null,
  resume: null,
  plan: { kind: plan.kind, steps: plan.steps.map(({ does, path }) => ({ does, path })) },
  stats: null,
  losses: Object.keys(facts.leftOut),
  risks: risksOf(plan),
  from: facts.from,
  to: facts.to,
  sessionCount: facts.sessions,
  sessions: facts.sessions,
  turns: done?.turns ?? null,
  files: facts.files,
  bytes: facts.bytes,
  databases: facts.databases,
  leftOut: facts.leftOut,
  links: facts.links,
  use: facts.use ?? null,
});

/** A plan that was carried out, or only made: then there is no operation to undo. */
export const toWriteJson = (
  plan: EditPlan,
  {
    operation,
    ownRows,
    notices,
    backupPath,
  }: Omit<EditWrite, "plan" | "operation"> & { readonly operation: string | null },
  home: Home,
) => ({
  operation,
  ...toPlanJson(plan, home),
  ownRows: toVendorRowsJson(ownRows, home),
  notices,
  backupPath: backupPath ?? null,
});
