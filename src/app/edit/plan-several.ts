/** One plan for several sessions: one question, one write, one undo. */
import { joinPlans } from "../../edit/plan/join.ts";
import type { EditPlan } from "../../model/plan.ts";
import type { Artifact } from "../../model/session/session.ts";
import type { Progress } from "../../query/heads.ts";
import type { Catalog } from "../../sources/catalog.ts";
import { joinerFor } from "./move-target.ts";

export interface SeveralParts {
  readonly catalog: Catalog;
  plan(artifact: Artifact, progress: Progress): Promise<EditPlan>;
  /** Called with why a session cannot be changed; true leaves it out, else nothing is planned. */
  leavesOut?(artifact: Artifact, error: unknown): boolean;
  /** Called with the progress of all of them, in bytes. */
  readonly progress?: Progress | undefined;
}

export interface Several {
  readonly plans: readonly EditPlan[];
  readonly joined: EditPlan;
}

export async function planSeveral(artifacts: readonly Artifact[], parts: SeveralParts): Promise<Several> {
  const plans: EditPlan[] = [];
  const sizes = artifacts.map(({ fingerprint }) => fingerprint.size);
  const sum = (all: readonly number[]): number => all.reduce((bytes, size) => bytes + size, 0);
  for (const [index, artifact] of artifacts.entries()) {
    const before = sum(sizes.slice(0, index));
    const tell: Progress = (done, total) =>
      parts.progress?.(before + (done / Math.max(1, total)) * artifact.fingerprint.size, sum(sizes));
    try {
      plans.push(await parts.plan(artifact, tell));
    } catch (error) {
      if (!parts.leavesOut?.(artifact, error)) throw error;
    }
  }
  return { plans, joined: await planTogether(parts.catalog, plans) };
}

/** Plans that were made one by one. */
export async function planTogether(catalog: Catalog, plans: readonly EditPlan[]): Promise<EditPlan> {
  const title = `${plans.length} ${plans.length === 1 ? "session" : "sessions"}`;
  const ignoring = plans.flatMap((plan) => plan.ignoring ?? []);
  return {
    ...joinPlans(plans, title, await joinerFor(catalog, plans)),
    ...(ignoring.length > 0 && { ignoring }),
  };
}
