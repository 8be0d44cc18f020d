/**
 * Groups the steps of a plan that must be completed or undone together: those of one session, and of sessions that
 * share a step.
 */
import { type Became, type EditPlan, type PlannedSession, type Step, sessionsOf } from "../../model/plan.ts";

export interface NumberedStep {
  readonly step: Step;
  /** Its position in the plan, by which staging knows it. */
  readonly number: number;
}

export interface StepGroup {
  readonly sessions: readonly PlannedSession[];
  readonly steps: readonly NumberedStep[];
}

export interface GroupOutcome {
  readonly group: StepGroup;
  readonly became: Became;
}

/** In the order of the first step of each. */
export function groupSteps(plan: Pick<EditPlan, "steps" | "session" | "also">): StepGroup[] {
  const all = sessionsOf(plan);
  const groups: { readonly members: Set<number>; readonly steps: NumberedStep[] }[] = [];
  for (const [number, step] of plan.steps.entries()) {
    const members = new Set(step.sessions ?? all.keys());
    // Without sessions all steps belong together.
    const shared = groups.filter(
      (group) => all.length === 0 || group.members.values().some((member) => members.has(member)),
    );
    const [first, ...others] = shared;
    const group = first ?? { members, steps: [] };
    if (!first) groups.push(group);
    for (const member of members) group.members.add(member);
    for (const other of others) {
      for (const member of other.members) group.members.add(member);
      group.steps.push(...other.steps);
      groups.splice(groups.indexOf(other), 1);
    }
    group.steps.push({ step, number });
  }
  return groups.map(({ members, steps }) => ({
    sessions: all.filter((_, index) => members.has(index)),
    steps: steps.sort((a, b) => a.number - b.number),
  }));
}

/** The plan of what is not as it was before, for the journal: that is what `undo` can undo. Nothing when all of it is. */
export function planOfRest(plan: EditPlan, outcomes: readonly GroupOutcome[]): EditPlan | undefined {
  const rest = outcomes.filter(({ became }) => became !== "old");
  if (rest.length === 0) return undefined;
  if (rest.length === outcomes.length && rest.every(({ became }) => became === "new")) return plan;
  const kept = rest.flatMap(({ group }) => group.sessions);
  const isKept = ({ source, id }: Pick<PlannedSession, "source" | "id">): boolean =>
    kept.some((each) => each.source === source && each.id === id);
  const [session = plan.session, ...also] = sessionsOf(plan).filter(isKept);
  const numbers = rest.flatMap(({ group }) => group.steps.map(({ number }) => number));
  const { expected: _, also: __, isContinuable, ...head } = plan;
  return {
    ...head,
    session,
    ...(also.length > 0 && { also }),
    ...(isContinuable && session === plan.session && { isContinuable }),
    closed: plan.closed.filter(isKept),
    steps: plan.steps
      .filter((_, number) => numbers.includes(number))
      .map(({ sessions: _, ...step }) => step as Step),
    became: outcomes.flatMap(({ group, became }) =>
      group.sessions.map(({ source, id }) => ({ source, id, became })),
    ),
  };
}
