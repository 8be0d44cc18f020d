/** A plan that costs no more tokens than it may: the source estimates what its cuts save, and here that is measured. */
import { AppError } from "../../model/errors.ts";
import { formatKey } from "../../model/id.ts";
import type { EditPlan } from "../../model/plan.ts";

/** Estimates are near: one round is common, and what is not reached in these is asked for as the least there can be. */
const ROUNDS = 8;

export async function planWithin(
  budget: number,
  planFor: (target: number) => Promise<EditPlan>,
): Promise<EditPlan> {
  let target = budget;
  for (let round = 1; ; round++) {
    const plan = await planFor(target);
    const tokens = plan.stats?.clonedTokens ?? 0;
    if (tokens <= budget) return plan;
    if (target === 0)
      throw new AppError("usage", `A clone of this session needs at least ${tokens} tokens`, {
        say: "Allow this budget",
        remedy: { action: "clone", session: formatKey(plan.from), args: { budget: tokens } },
      });
    const lower = Math.max(target - (tokens - budget), Math.floor(target / 2));
    target = round < ROUNDS ? lower : 0;
  }
}
