/** A budget that no copy of a session fits: the handoff itself says what it needs. */
import { expect, it } from "vitest";
import type { PlanUnlisted } from "../../src/app/edit/handoff.ts";
import { createBudget } from "../../src/edit/plan/within-budget.ts";
import type { EditPlan } from "../../src/model/plan.ts";
import { remedyOf } from "../../src/model/remedy.ts";
import { toConversation } from "./conversations.ts";
import { createMachine, handOver, settle } from "./machine.ts";

it("names the least budget of a handoff, not of the clone that it is made from", async () => {
  const machine = await createMachine();
  const own = await machine.handoff("claude-code");
  if (!own) throw new Error("no such program");
  const seed = { title: "One", turns: [{ prompt: "p".repeat(50), replies: [] }] };
  const place = await settle(machine, "claude-code", toConversation(seed, "claude-code", own, "/srv/work"));
  const asked: unknown[] = [];
  /** Of a session that no editor makes smaller than 20 tokens. */
  const planSmaller: PlanUnlisted = async (_, artifact, { budget = 0 }) => {
    asked.push(budget);
    const next = createBudget(artifact, budget);
    while (next(20) !== undefined);
    return { alreadyFits: true } as EditPlan;
  };
  const refused = await handOver(place, "copilot-cli", { budget: 1 }, planSmaller).catch((error) => error);
  expect(asked).toEqual([1, 20]);
  expect(refused.message).toMatch(/^A handoff of this session needs at least \d\d+ tokens$/);
  // What else was asked for holds for the larger budget, too.
  expect(remedyOf(refused.advice)).toMatchObject({
    action: "handoff",
    args: { to: "copilot-cli", workspace: "/srv/work" },
  });
});
