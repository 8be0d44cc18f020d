/** Which budget to try next: the source estimates what its cuts save, and the drafts are measured. */
import { AppError } from "../../model/errors.ts";
import { formatKey, type SessionKey } from "../../model/values/id.ts";

/** Estimates are near: one round is common, and what is not reached in these is asked for as the least there can be. */
const ROUNDS = 8;

/** Takes the tokens of each draft; returns undefined when they fit, otherwise the lower budget for the next draft. */
export function createBudget(from: SessionKey, budget: number): (tokens: number) => number | undefined {
  let target = budget;
  let round = 0;
  return (tokens) => {
    if (tokens <= budget) return undefined;
    if (target === 0)
      throw new AppError("usage", `A clone of this session needs at least ${tokens} tokens`, {
        say: "Allow this budget",
        remedy: { action: "clone", session: formatKey(from), args: { budget: tokens } },
      });
    round++;
    target = round < ROUNDS ? Math.max(target - (tokens - budget), Math.floor(target / 2)) : 0;
    return target;
  };
}
