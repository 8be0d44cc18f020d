import { expect, it } from "vitest";
import { createChangeTable, type TurnSlot } from "./change-table.ts";
import type { Change } from "./parsed-session.ts";

const origin = (line: number): Change["origin"] => ({
  line,
  start: line * 10,
  end: line * 10 + 9,
  at: ["v", 0],
});

it("gives back the changes of each turn as they were put in", () => {
  const left = origin(1);
  const set: Change = { effect: "set", path: [], held: left, keep: undefined, origin: left };
  const push: Change = {
    effect: "push",
    path: ["response", 3, "parts"],
    held: { value: ["x"] },
    keep: 0,
    origin: origin(2),
  };
  // Whatever stands in a log must come through, so that it can be judged when it is applied.
  const odd = { ...push, effect: "delete", keep: "two" as unknown as number } as const;
  const table = createChangeTable();
  const first = table.add(set);
  const other = table.add(set);
  const changed = table.add(odd, table.add(push, first));
  expect([changed, other].map(table.of)).toEqual([[set, push, odd], [set]]);
  expect([changed, other].map(table.isChanged)).toEqual([true, false]);
});

it("grows with the log", () => {
  const table = createChangeTable();
  let slot: TurnSlot | undefined;
  for (let line = 0; line < 1000; line++)
    slot = table.add({ effect: "set", path: [], held: { value: line }, origin: origin(line) }, slot);
  expect(table.of(slot ?? 0).map((change) => change.origin.line)).toEqual([...Array(1000).keys()]);
});
