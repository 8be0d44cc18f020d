import { expect, it } from "vitest";
import type { PulledSession } from "../../../app/sync/contract.ts";
import { createStyle } from "../../../present/text/style.ts";
import { printPull } from "./sync-pull.ts";

const pulled = (id: string): PulledSession => ({
  hubSession: `copilot-cli:${id}@00000001`,
  title: `About ${id}`,
  machine: "desk",
  source: "copilot-cli",
  outcome: "pulled",
  id,
  folder: "/work",
  operation: `0peration-${id}`,
  resume: `cd /work && copilot --resume ${id}`,
});
const print = (...sessions: PulledSession[]): string =>
  printPull(
    { hub: "http://hub", outcome: "clean", sessions },
    { style: createStyle(false), columns: 80 },
  ).join("\n");

it("ends with the commands for one session, and says once how several are continued", () => {
  expect(print(pulled("a1"))).toMatch(/\nContinue: cd \/work && copilot --resume a1\nUndo: .*0peration-a1$/);
  const several = print(pulled("a1"), pulled("b2"));
  expect(several).toMatch(/\n\nContinue one: rethread resume <session>\nUndo one: .*rethread history/);
  expect(several).not.toContain("--resume a1");
});

it("tells what was updated in its place from what came, and from copies", () => {
  const text = print(
    pulled("a1"),
    { ...pulled("b2"), isUpdate: true },
    { ...pulled("c3"), isCopy: true },
    { ...pulled("d4"), isUpdate: true, outcome: "planned" },
  );
  const outcomes = text
    .split("\n")
    .flatMap((line) => /pulled as a copy|would be updated|updated|pulled/.exec(line) ?? []);
  expect(outcomes).toEqual(["pulled", "updated", "pulled as a copy", "would be updated"]);
});
