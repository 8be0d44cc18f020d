/** The plan of a clone: a request to its source, repeated with smaller budgets until the result fits. */
import { randomUUID } from "node:crypto";
import { planWithin } from "../../edit/plan/within-budget.ts";
import type { EditPlan } from "../../model/plan.ts";
import type { Reduction } from "../../model/reduce/reduction.ts";
import { loadTokenizer } from "../../query/tokens.ts";
import { refuseWriter, type SummaryOf, toWish } from "./compact.ts";
import { toName, toWorkspace } from "./names.ts";
import type { Draw } from "./plan-session.ts";
import type { WriterSurroundings } from "./summary-writer.ts";

export interface CloneOf extends Reduction, SummaryOf {
  /** A summary takes the place of the turns that go. */
  readonly summarize?: boolean;
  readonly name?: string;
  readonly to?: string;
}

export async function planClone(
  request: CloneOf,
  around: WriterSurroundings & { readonly now: Date },
  plan: (draw: Draw) => Promise<EditPlan>,
): Promise<EditPlan> {
  const drawWith =
    (reduction: Reduction | undefined): Draw =>
    async (editor, fs, artifact) =>
      editor.clone(fs, artifact, {
        id: randomUUID(),
        now: around.now,
        ...(request.name !== undefined && { name: toName(request.name) }),
        ...(request.to !== undefined && {
          workspace: await toWorkspace(fs, editor, artifact, request.to, around.folder),
        }),
        ...(reduction && {
          reduce: {
            reduction,
            count: await loadTokenizer(),
            ...(request.summarize && { summarize: toWish(request, editor, artifact, around) }),
          },
        }),
      });
  const wanted = toReduction(request);
  refuseWriter(request, wanted);
  if (wanted?.budget === undefined) return plan(drawWith(wanted));
  return planWithin(wanted.budget, (budget) => plan(drawWith({ ...wanted, budget })));
}

/** Nothing when nothing is to be left out. */
function toReduction({ tools, dropThinking, dropOldest, budget }: CloneOf): Reduction | undefined {
  const reduction: Reduction = {
    ...(tools !== undefined && { tools }),
    ...(dropThinking && { dropThinking }),
    ...(dropOldest !== undefined && { dropOldest }),
    ...(budget !== undefined && { budget }),
  };
  return Object.keys(reduction).length > 0 ? reduction : undefined;
}
