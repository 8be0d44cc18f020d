import { expect, it } from "vitest";
import { printProgress } from "../output.ts";

const half = { done: 60_000_000, total: 120_000_000, sessions: { done: 1200, total: 2500 } };

it("shows how far it is, how fast, and how long it will take", () => {
  expect(printProgress("Indexing", half, 2000, 120)).toBe(
    "Indexing ████████████░░░░░░░░░░░░ 50%  1,200 of 2,500 sessions  30 MB/s  2 s left",
  );
  expect(printProgress("Reading", { done: 1, total: 100 }, 4000, 120)).toBe(
    "Reading ░░░░░░░░░░░░░░░░░░░░░░░░ 1%  7 min left",
  );
});

it("leaves out what does not fit on the line", () => {
  expect(printProgress("Indexing", half, 2000, 80)).toBe(
    "Indexing ██████░░░░░░ 50%  1,200 of 2,500 sessions  30 MB/s  2 s left",
  );
  expect(printProgress("Indexing", half, 2000, 55)).toBe(
    "Indexing ██████░░░░░░ 50%  1,200 of 2,500 sessions",
  );
  expect(printProgress("Indexing", half, 2000, 20).length).toBe(19);
});

it("tells no pace before it can be known, and nothing odd when there is nothing to do", () => {
  expect(printProgress("Indexing", half, 100, 80)).toBe("Indexing ██████░░░░░░ 50%  1,200 of 2,500 sessions");
  expect(printProgress("Indexing", { done: 0, total: 0 }, 5000, 80)).toBe("Indexing ░░░░░░░░░░░░ 0%");
});
