/** Rows follow what they came from, and edges begin where a copy begins. */
import { expect, it } from "vitest";
import { spanOf, toLanes } from "./lanes.ts";
import { keysOf, type Relative, toRows } from "./rows.ts";

const one = (id: string, more: Partial<Relative> = {}): Relative => ({
  source: "copilot-cli",
  id,
  title: `About ${id}`,
  kind: null,
  isHere: true,
  turns: 3,
  createdAt: "2026-03-01T10:00:00Z",
  updatedAt: "2026-03-01T12:00:00Z",
  vanishedAt: null,
  children: [],
  ...more,
});

const fork = one("fork", {
  kind: "fork",
  createdAt: "2026-03-02T10:00:00Z",
  updatedAt: "2026-03-02T11:00:00Z",
});
const family = one("root", { children: [one("clone", { kind: "clone", children: [fork] }), one("second")] });

it("puts each session after the one that it came from", () => {
  const rows = toRows([family], [], "");
  expect(rows.map(({ key }) => key)).toEqual([
    "family copilot-cli:root",
    "copilot-cli:root",
    "copilot-cli:clone",
    "copilot-cli:fork",
    "copilot-cli:second",
  ]);
  expect(rows.map((row) => (row.type === "session" ? [row.depth, row.parent] : row.count))).toEqual([
    4,
    [0, undefined],
    [1, 1],
    [2, 2],
    [1, 1],
  ]);
});

it("shows the whole family of one that matches, and no other", () => {
  const other = one("other", { children: [one("x")] });
  expect(toRows([family, other], [], "about FORK").length).toBe(5);
  expect(toRows([family, other], [one("alone")], "alone").map(({ key }) => key)).toEqual([
    "alone",
    "copilot-cli:alone",
  ]);
  expect(keysOf(family)).toContain("copilot-cli:fork");
});

it("begins an edge where the copy begins", () => {
  const { edges, lanes } = toLanes(toRows([family], [], ""));
  expect(edges).toContainEqual({ from: 2, to: 3, time: Date.parse("2026-03-02T10:00:00Z") });
  expect(lanes[0]).toBeUndefined();
});

it("guesses that a session that is not here began before its first copy", () => {
  const gone = one("gone", { isHere: false, createdAt: null, updatedAt: null, children: [fork] });
  expect(spanOf(gone)).toEqual({
    start: Date.parse("2026-03-02T10:00:00Z"),
    end: Date.parse("2026-03-02T10:00:00Z"),
    isGuessed: true,
  });
  expect(spanOf({ ...gone, children: [] })).toBeUndefined();
});
