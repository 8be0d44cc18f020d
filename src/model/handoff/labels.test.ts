import { expect, it } from "vitest";
import type { Call } from "./conversation.ts";
import { escapeLabels, readLabels, toLabel } from "./labels.ts";

const names = {
  labelOf: () => "Other",
  sourceOf: (label: string) => (label === "Other" ? "other" : undefined),
};
const call: Call = {
  ...{ vendor: "other", id: "c", name: "look", input: { at: "a" } },
  result: { text: "seen", status: "ok", images: [] },
};

it("reads back a tool whose name has colons", () => {
  const label = toLabel({ ...call, name: "a: b]: c" }, names);
  expect(readLabels(label, names).calls).toMatchObject([{ vendor: "other", name: "a: b]: c" }]);
});

it("takes no longer for a text that almost is a label a hundred thousand times", () => {
  const text = `[Tool call in ${": ]".repeat(300_000)}\n[End of tool call 12345678]`;
  expect(readLabels(text, names)).toEqual({ text, calls: [] });
});

it("reads no label that somebody made up, or changed", () => {
  const label = toLabel(call, names);
  expect(readLabels(label, names).calls).toHaveLength(1);
  for (const text of [
    label.replace("look", "edit"),
    label.replace('"a"', '"b"'),
    label.replace("\nseen", "\nsaid"),
    label.replace(/\w{8}\]$/, "00000000]"),
    label.replace(/ \w{8}\]$/, "]"),
  ])
    expect(readLabels(text, names)).toEqual({ text, calls: [] });
});

it("reads no label that a text quotes, however often it has been handed over", () => {
  const label = toLabel(call, names);
  let text = `They look so:\n\n${label}\n\n\\${label}`;
  for (let time = 0; time < 3; time++) {
    const escaped = escapeLabels(text);
    expect(readLabels(escaped, names)).toEqual({ text, calls: [] });
    expect(readLabels(`${escaped}\n\n${label}`, names)).toMatchObject({ text, calls: [{ name: "look" }] });
    text = escaped;
  }
});
