/** A smaller copy of a session that exists only while it is exported: planned as a clone, and read as if it were written. */
import { artifactAt } from "../../edit/apply/verify.ts";
import { createPlannedFs } from "../../edit/plan/planned-fs.ts";
import type { EditPlan } from "../../model/plan.ts";
import type { EditStats } from "../../model/plan-facts.ts";
import type { Ledger, Reduction } from "../../model/reduce/reduction.ts";
import type { Artifact } from "../../model/session/session.ts";
import { formatKey } from "../../model/values/id.ts";
import type { Catalog } from "../../sources/catalog.ts";

export type ExportReduction = Reduction & {
  /** A summary takes the place of the turns that go. */
  readonly summarize?: boolean;
};

export type PlanCopy = (name: string, request: ExportReduction & { unlisted: true }) => Promise<EditPlan>;

export interface ReducedSession {
  /** Reads the copy. */
  readonly catalog: Catalog;
  readonly artifact: Artifact;
  readonly stats: EditStats | undefined;
  readonly ledger: Ledger | undefined;
}

export async function reduceForExport(
  catalog: Catalog,
  original: Artifact,
  reduction: ExportReduction,
  plan: PlanCopy,
): Promise<ReducedSession> {
  const { steps, session, stats, ledger } = await plan(formatKey(original), { ...reduction, unlisted: true });
  const planned = createPlannedFs(catalog.fs, steps);
  const artifact = { ...(await artifactAt(planned, session)), root: original.root };
  return { catalog: catalog.on(planned), artifact, stats, ledger };
}

/** Whether anything is to be left out. */
export const isReduction = (reduction: ExportReduction): boolean =>
  Object.values(reduction).some((value) => value !== undefined && value !== false);
