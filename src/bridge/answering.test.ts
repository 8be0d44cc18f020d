import { expect, it } from "vitest";
import { createGatherer } from "./answering.ts";

it("remembers no more of an answer than can be written down each second", () => {
  const gather = createGatherer();
  const text = "x".repeat(1 << 20);
  for (let i = 0; i < 40; i++) gather.add({ kind: "text", message: "m", text });
  const { text: kept } = gather.so();
  expect(kept.startsWith(text)).toBe(true);
  expect(kept.length).toBeLessThan(17 << 20);
  expect(kept).toMatch(/the rest of the answer is too long to keep here/);
});

it("remembers so many tools, and a few words of each", () => {
  const gather = createGatherer();
  for (let i = 0; i < 10_100; i++)
    gather.add({ kind: "tool", call: `c${i}`, name: "run", state: "began", says: "x".repeat(20_000) });
  const { tools } = gather.so();
  expect(tools).toHaveLength(10_000);
  expect(tools[0]?.says).toHaveLength(10_000);
});
