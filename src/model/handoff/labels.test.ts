import { expect, it } from "vitest";
import { readLabels } from "./labels.ts";

const names = {
  labelOf: () => "Other",
  sourceOf: (label: string) => (label === "Other" ? "other" : undefined),
};

it("reads back a tool whose name has colons", () => {
  const text = "[Tool call in Other: a: b]: c]\nArguments: {}\nNo result\n[End of tool call]";
  expect(readLabels(text, names).calls).toMatchObject([{ vendor: "other", name: "a: b]: c", input: {} }]);
});

it("takes no longer for a text that almost is a label a hundred thousand times", () => {
  const text = `[Tool call in ${": ]".repeat(300_000)}\n[End of tool call]`;
  expect(readLabels(text, names)).toEqual({ text, calls: [] });
});
