/** Which budget to try next: the source estimates what its cuts save, and the drafts are measured. */
import { AppError } from "../../model/errors.ts";
import type { RemedyArgs } from "../../model/remedy.ts";
import { formatKey, type SessionKey } from "../../model/values/id.ts";

/** Estimates are near: one round is common, and what is not reached in these is asked for as the least there can be. */
const ROUNDS = 8;

/**
 * Takes the tokens of each draft. `fits`, or the lower budget for the next draft; `least` where that was the smallest
 * there can be.
 */
export function createTargets(budget: number): (tokens: number) => number | "fits" | "least" {
  let target = budget;
  let round = 0;
  let less = 0;
  return (tokens) => {
    if (tokens <= budget) return "fits";
    if (target === 0) return "least";
    round++;
    // The next cut may be much larger than what is missing: until it is made, the drafts are all the same.
    less = Math.max(tokens - budget, 2 * less);
    target = round < ROUNDS ? Math.max(target - less, Math.floor(target / 2)) : 0;
    return target;
  };
}

/** The same for those who need a draft that fits: returns undefined when one does, and refuses when none can. */
export function createBudget(
  from: SessionKey,
  budget: number,
  /** What else was asked for, which holds for a larger budget as well. */
  asked: RemedyArgs<"clone"> = {},
): (tokens: number) => number | undefined {
  const next = createTargets(budget);
  return (tokens) => {
    const target = next(tokens);
    if (target === "least")
      throw new AppError("usage", `A clone of this session needs at least ${tokens} tokens`, {
        say: "Allow this budget",
        remedy: { action: "clone", session: formatKey(from), args: { ...asked, budget: tokens } },
      });
    return target === "fits" ? undefined : target;
  };
}
