import { expect, it } from "vitest";
import type { SyncStatus } from "../../../app/sync/contract.ts";
import { createStyle } from "../../../present/text/style.ts";
import { printSyncStatus } from "./sync.ts";

const status: SyncStatus = {
  machine: { id: "00000001-0000-4000-8000-000000000000", name: "desk" },
  gates: [
    { gate: "store", isOpen: true, says: "The store is there" },
    {
      gate: "cloud",
      isOpen: false,
      says: "Not agreed",
      hint: "See it: rethread sync --dry-run; agree: rethread sync",
    },
  ],
  repositories: [],
  rules: [],
  privates: [],
  pushed: 0,
  waiting: 0,
  toDelete: 0,
  sends: [],
  leavesOut: [],
};
const printed = (isDemo: boolean): string =>
  printSyncStatus(status, { style: createStyle(false), columns: 100, isDemo }).join("\n");

it("names commands that are about the sessions that were asked for", () => {
  expect(printed(false)).toMatch(/→ See it: rethread sync --dry-run; agree: rethread sync$/m);
  expect(printed(false)).not.toContain("--demo");
  expect(printed(true)).toContain("rethread sync --dry-run --demo; agree: rethread sync --demo");
  expect(printed(true)).toContain("rethread hub key new --demo");
});
