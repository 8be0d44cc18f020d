/** Plans as the dialog has them: one shape for all kinds, asked from the API one by one or together. */
import type { Answer } from "../../../src/client/types.ts";
import { ApiError, api } from "../lib/api.ts";
import type { Ask } from "./choices.ts";

type Common = Answer<"rename">;
type Special = Answer<"clone"> &
  Answer<"rescue"> &
  Answer<"move"> &
  Answer<"rewind"> &
  Answer<"compact"> &
  Answer<"handoff"> &
  Answer<"import">;

/** Which of the fields beside those of all plans are there depends on the kind. */
export type Plan = Common & Partial<Omit<Special, keyof Common>>;
export type PlanStep = Plan["plan"]["steps"][number];
export type Written = Answer<"apply">;

/** What could not be planned, where others could. */
export interface LeftOut {
  readonly session: string;
  readonly error: unknown;
}

export interface Planned {
  readonly plan: Plan;
  readonly leftOut: readonly LeftOut[];
}

export async function askForPlan(asks: readonly Ask[], signal: AbortSignal): Promise<Planned> {
  const [first, ...others] = asks;
  if (!first) throw new Error("Nothing to plan");
  if (others.length === 0) return { plan: await planOne(first, signal), leftOut: [] };
  const plans: Plan[] = [];
  const leftOut: LeftOut[] = [];
  let failure: unknown;
  for (const ask of asks) {
    try {
      plans.push(await planOne(ask, signal));
    } catch (error) {
      if (signal.aborted || !(error instanceof ApiError)) throw error;
      failure ??= error;
      leftOut.push({ session: String(ask.input.session ?? ask.input.source), error });
    }
  }
  const [only, ...more] = plans.filter(({ plan }) => plan.steps.length > 0);
  if (only && more.length > 0) {
    const fingerprints = [only, ...more].map(({ fingerprint }) => fingerprint);
    const plan = await api.plan("plan-together", { fingerprints }, { signal });
    // What each of them repairs is not said again of all.
    const repairs = [only, ...more].flatMap((each) => each.repairs ?? []);
    const adoptions = [only, ...more].flatMap((each) => each.adoptions ?? []);
    return { plan: { ...plan, repairs, adoptions }, leftOut };
  }
  const plan = only ?? plans[0];
  if (!plan) throw failure;
  return { plan, leftOut };
}

/** Each operation checks its own input; the form only puts it together. */
const planOne = ({ operation, input }: Ask, signal: AbortSignal): Promise<Plan> =>
  api.plan(operation as "rename", input as never, { signal });
