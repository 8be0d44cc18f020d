import { expect, it } from "vitest";
import { sinceOf, toRange } from "./ranges.ts";

/** A Wednesday. */
const NOW = new Date(2026, 10, 18, 12, 30, 45, 678);

it("begins at the minute, at midnight or on Monday, as its name says", () => {
  const began = (range: Parameters<typeof sinceOf>[0]) => new Date(sinceOf(range, NOW));
  expect([began("24h"), began("yesterday"), began("monday"), began("7d")]).toEqual([
    new Date(2026, 10, 17, 12, 30),
    new Date(2026, 10, 17),
    new Date(2026, 10, 16),
    new Date(2026, 10, 11, 12, 30),
  ]);
});

it("is the usual one where the address has none, or one that is unknown", () => {
  expect([toRange("7d", "24h"), toRange(undefined, "24h"), toRange("__proto__", "90d")]).toEqual([
    "7d",
    "24h",
    "90d",
  ]);
});
