import { expect, it } from "vitest";
import { withHeadings } from "./groups.ts";
import type { SessionRow } from "./session-query.ts";

const NOW = new Date(2026, 10, 18, 9, 30);
const at = (...date: [number, number, number, number?]): string => new Date(...date).toISOString();
const session = (updatedAt: string | null): SessionRow =>
  ({ source: "x", id: String(updatedAt), updatedAt, createdAt: updatedAt }) as SessionRow;

const labels = (times: readonly (string | null)[], sort = "active"): string[] =>
  withHeadings(times.map(session), sort, NOW).map((item) => (item.kind === "heading" ? item.label : "·"));

it("puts sessions under the day, the week, then the month", () => {
  const times = [
    at(2026, 10, 18, 1),
    at(2026, 10, 17, 23),
    at(2026, 10, 16),
    at(2026, 10, 12),
    at(2026, 10, 11, 23),
    at(2026, 9, 30),
    at(2025, 9, 1),
    null,
  ];
  expect(labels(times)).toEqual([
    ...["Today", "·", "Yesterday", "·", "This week", "·", "·", "Earlier in November", "·"],
    ...["October", "·", "October 2025", "·", "Without a date", "·"],
  ]);
});

it("has no headings where times are not the order, and counts rows without them", () => {
  expect(labels([at(2026, 10, 18), at(2025, 0, 1)], "title")).toEqual(["·", "·"]);
  const items = withHeadings([session(at(2026, 10, 18)), session(at(2025, 0, 1))], "created", NOW);
  expect(items.flatMap((item) => (item.kind === "session" ? [item.at] : []))).toEqual([0, 1]);
});
