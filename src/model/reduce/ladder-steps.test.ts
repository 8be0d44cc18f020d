/** A ladder for many budgets adds the cuts that a ladder for each one would. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { toCuts } from "./cuts.ts";
import { LONGEST_CUT } from "./held-text.ts";
import { createLadder, fitBudget } from "./ladder.ts";
import type { Passage } from "./passage.ts";

const turn = fc.record({
  answer: fc.nat(2000),
  result: fc.nat(9000),
  thinks: fc.nat(500),
  unseen: fc.boolean(),
  failed: fc.boolean(),
  edits: fc.boolean(),
});

const sessions = fc.array(turn, { maxLength: 12 }).map((turns) =>
  turns.flatMap(({ answer, result, thinks, unseen, failed, edits }, index): Passage[] => {
    const about = { turn: index, ...(unseen && { unseen }) };
    const makes = [{ id: `call ${index}`, name: "run", tokens: 20, edits }];
    return [
      { kind: "prompt", tokens: 30, ...about },
      { kind: "answer", tokens: answer, thinks, makes, ...about },
      { kind: "result", tokens: result, call: `call ${index}`, failed, ...about },
    ];
  }),
);

it("takes the same steps for a budget, whichever budgets came before", () => {
  fc.assert(
    fc.property(sessions, fc.array(fc.nat(60_000), { minLength: 1, maxLength: 6 }), (passages, budgets) => {
      const turns = passages.length / 3;
      const none = () => toCuts(passages, turns, {}, "a session");
      const ladder = createLadder(passages, none(), { turns });
      const seen = new Map<number, unknown>();
      for (const budget of budgets) {
        const [many, one] = [none(), none()];
        const steps = ladder.fit(many, budget);
        fitBudget(passages, one, { turns, budget });
        expect(many).toEqual(one);
        // Drafts with the same number of steps are taken for the same.
        expect(seen.get(steps) ?? many).toEqual(many);
        seen.set(steps, many);
        for (const limit of [...many.limits.values(), ...many.texts.values()])
          expect(limit).toBeLessThanOrEqual(LONGEST_CUT);
      }
    }),
  );
});
