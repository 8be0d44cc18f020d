import { expect, it } from "vitest";
import { splitMore, toolText } from "./turn-text.ts";

it("tells what tools gave back from what the agent said", () => {
  const more = ["Let me look.", toolText("rg needle"), toolText("a.ts: needle"), "Found it."].join("\n");
  expect(splitMore(more)).toEqual({
    agent: "Let me look.\n\n\n\n\nFound it.",
    tools: "rg needle\na.ts: needle",
  });
});

it("lets no output pass for what the agent said", () => {
  expect(splitMore(toolText("a\u001fb\u001ec"))).toEqual({ agent: "\n", tools: "a b c" });
});
