import { expect, it } from "vitest";
import type { EditPlan } from "../../../model/plan.ts";
import { createStyle } from "../../../present/text/style.ts";
import { fileLines } from "./workspace-files.ts";

const page = { columns: 80, style: createStyle(false) };
const plan = (withFiles?: boolean): EditPlan =>
  ({
    kind: "rewind",
    steps: [{ does: "replace", path: "/s/log", entries: [] }],
    files: [{ path: "/w/a", change: "modified", becomes: "unchanged", linesAdded: 1, linesRemoved: 1 }],
    ...(withFiles && { withFiles }),
  }) as unknown as EditPlan;

it("says how files would go back, but not to whoever has asked for it", () => {
  const stays = "  1 file that these turns changed is not restored";
  expect(fileLines(plan(), page)).toEqual([`${stays}; --files restores it`]);
  expect(fileLines(plan(true), page)).toEqual([stays]);
  const [first, ...rest] = fileLines(plan(), page, true);
  expect([first, ...rest].join(" ").replace(/ +/g, " ")).toBe(
    `${stays}; to restore it, undo this and rewind with --files`.replace(/ +/g, " "),
  );
});
