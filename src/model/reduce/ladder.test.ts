import { expect, it } from "vitest";
import { type Cuts, toCuts } from "./cuts.ts";
import { fitBudget } from "./ladder.ts";
import type { Passage } from "./passage.ts";

const turn = (at: number, more: Partial<Passage> = {}): Passage[] => [
  { kind: "prompt", turn: at, tokens: 10, ...more },
  { kind: "answer", turn: at, tokens: 1000, thinks: 50, ...more },
];
const cutsFor = (passages: readonly Passage[], budget: number, anchored: number[] = []): Cuts => {
  const turns = (passages.at(-1)?.turn ?? -1) + 1;
  const cuts = toCuts(passages, turns, { budget }, "it");
  fitBudget(passages, cuts, { turns, budget, anchored: new Set(anchored) });
  return cuts;
};

it("leaves alone what the model no longer receives, as that would save nothing", () => {
  const old = [0, 1, 2].flatMap((at) => turn(at, { unseen: true }));
  const summary: Passage = { kind: "summary", turn: 3, tokens: 100 };
  const cuts = cutsFor([...old, summary, ...[3, 4, 5, 6, 7].flatMap((at) => turn(at))], 0, [3]);
  expect([...cuts.turns]).toEqual([4, 5, 6]);
  expect([...cuts.texts.keys(), ...cuts.thoughts].filter((number) => number < old.length)).toEqual([]);
});

it("forgets old thoughts before it cuts any text", () => {
  const cuts = cutsFor(
    [0, 1, 2, 3, 4].flatMap((at) => turn(at)),
    5220,
  );
  expect(cuts).toMatchObject({ turns: new Set(), texts: new Map(), thoughts: new Set([1, 3]) });
});

it("takes a call along whose result stands in a turn that goes", () => {
  const passages: Passage[] = [
    { kind: "prompt", turn: 0, tokens: 1 },
    { kind: "prompt", turn: 1, tokens: 1 },
    { kind: "answer", turn: 1, tokens: 0, makes: [{ id: "late", name: "run", tokens: 1 }] },
    { kind: "prompt", turn: 2, tokens: 1 },
    { kind: "result", turn: 2, tokens: 9000, call: "late" },
    ...[3, 4, 5].flatMap((at) => turn(at, { tokens: 1 })),
  ];
  const { turns, calls } = cutsFor(passages, 4);
  expect([turns.has(2), calls]).toEqual([true, new Set(["late"])]);
});
