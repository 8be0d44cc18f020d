/** Joins several plans into one, which is applied and undone as a whole. */

import { AppError } from "../../model/errors.ts";
import { type EditPlan, type Step, sessionsOf } from "../../model/plan.ts";
import { sumStats } from "../../model/plan-facts.ts";
import { type Advice, toHint } from "../../model/remedy.ts";

/** The result is reported for the first one; `title` names all of them. */
export function joinPlans(
  plans: readonly EditPlan[],
  title: string,
  /** Makes one of steps that concern the same thing, where a source knows how. */
  join: (steps: readonly Step[]) => readonly Step[] = (steps) => steps,
): EditPlan {
  const [first, ...others] = plans;
  if (!first) throw new Error("there is no plan to carry out");
  if (plans.some((plan) => sessionsOf(plan).length === 0))
    throw new AppError(
      "usage",
      "A change of files that belong to no session cannot be joined with others",
      "Apply it by itself",
    );
  const steps = join(
    plans.flatMap((plan, number) =>
      plan.steps.map((step) => ({
        ...withHideout(step, plan, first),
        ...(!plan.also && { sessions: [number] }),
      })),
    ),
  );
  refuseTwice(steps);
  const repairs = plans.flatMap((plan) => plan.repairs ?? []);
  const redactions = plans.flatMap((plan) => plan.redactions ?? []);
  const stats = plans.flatMap((plan) => plan.stats ?? []);
  const { name: _name, ledger: _ledger, isContinuable: _isContinuable, ...kept } = first;
  return {
    ...kept,
    title,
    closed: plans.flatMap(({ closed }) => closed),
    basis: plans.flatMap(({ basis }) => basis),
    steps,
    also: others.map(({ session, expected }) => ({ ...session, ...(expected && { expected }) })),
    losses: distinct(plans.flatMap(({ losses }) => losses)),
    ...(repairs.length > 0 && { repairs }),
    ...(redactions.length > 0 && { redactions: sumRedactions(redactions) }),
    ...(stats.length > 0 && { stats: sumStats(stats) }),
  };
}

type Redactions = NonNullable<EditPlan["redactions"]>;

const sumRedactions = (all: Redactions): Redactions =>
  [...Map.groupBy(all, ({ kind }) => kind)].map(([kind, of]) => ({
    kind,
    secrets: of.reduce((sum, { secrets }) => sum + secrets, 0),
    places: of.reduce((sum, { places }) => sum + places, 0),
  }));

const withHideout = (step: Step, { hideout }: EditPlan, first: EditPlan): Step =>
  step.hideout !== undefined || hideout === first.hideout ? step : { ...step, hideout };

/** Each was made as if it were the only one: what two of them change, one would undo for the other. */
function refuseTwice(steps: readonly Step[]): void {
  const paths = new Set<string>();
  for (const { path } of steps) {
    if (paths.has(path))
      throw new AppError(
        "usage",
        `${path} would be changed twice`,
        "Name each session once, or change them one after the other",
      );
    paths.add(path);
  }
}

/** Several sessions may lack the same thing. */
const distinct = (losses: readonly Advice[]): Advice[] => [
  ...new Map(losses.map((loss) => [toHint(loss), loss])).values(),
];
