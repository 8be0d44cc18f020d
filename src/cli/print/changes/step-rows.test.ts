import { expect, it } from "vitest";
import type { EditPlan, Entry, Step } from "../../../model/plan.ts";
import { stepFacts } from "../../../present/json/step-facts.ts";
import { createStyle } from "../../../present/text/style.ts";
import { stepRows } from "./step-rows.ts";

const page = { columns: 60, style: createStyle(false) };
const file = (path: string, size: number): Entry => ({ kind: "file", path, mode: 0, mtimeMs: 0, size });
const plan = (steps: readonly Step[], entries: readonly Entry[], files: string[] = []): EditPlan =>
  ({
    steps,
    basis: entries.map((entry) => ({ entry })),
    files: files.map((path) => ({ path })),
  }) as unknown as EditPlan;

it("tells many files that go from one folder as one, and leaves those of the workspace out", () => {
  const gone = ["/s/b/1", "/s/b/2", "/s/b/3"];
  const steps: Step[] = [
    { does: "replace", path: "/s/log", entries: [file("/s/log", 7)] },
    ...gone.map((path): Step => ({ does: "remove", path })),
    { does: "remove", path: "/w/a" },
  ];
  const entries = [...gone, "/w/a"].map((path) => file(path, 10));
  expect(stepRows(plan(steps, entries, ["/w/a"]), page)).toEqual([
    "  replace  /s/log                                1 file, 7 B",
    "  remove   /s/b/*                              3 files, 30 B",
  ]);
});

it("counts the rest where there are many", () => {
  const steps = Array.from({ length: 20 }, (_, n): Step => ({ does: "place", path: `/${n}`, entries: [] }));
  const rows = stepRows(plan(steps, []), page);
  expect(rows).toHaveLength(13);
  expect(rows.at(-1)).toBe("  and 8 more");
});

it("does not take what only begins alike for a part of what goes", () => {
  const step: Step = { does: "remove", path: "/s/a" };
  const entries = [file("/s/a", 1), file("/s/a/b", 2), file("/s/ab", 4)];
  expect(stepFacts(step, plan([step], entries))).toEqual({ files: 2, bytes: 3 });
});
