import { expect, it } from "vitest";
import type { SyncReport, SyncStatus } from "../../../app/sync/contract.ts";
import { createStyle } from "../../../present/text/style.ts";
import { printDryRun, printSyncReport, printSyncStatus } from "./sync.ts";

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

it("says what was sent in a sentence, and beside it each number by its name", () => {
  const nothing: SyncReport = {
    ...{ outcome: "clean", hub: "https://hub.test", created: 0, updated: 0, unchanged: 3, eventsUploaded: 0 },
    ...{ bytes: 0, failed: 0, backfillQueued: 0, backfillFailed: 0, redacted: [], vanished: 0, deleted: 0 },
    ...{ takenBack: 0, heldBack: 0, allowed: [], problems: [], leftOut: [] },
  };
  const told = (report: Partial<SyncReport>): string[] =>
    printSyncReport({ ...nothing, ...report }, { style: createStyle(false), columns: 400, isDemo: false });
  expect(told({})).toEqual([
    "Synced with https://hub.test: nothing new to send.",
    "created 0, updated 0, eventsUploaded 0 (0 B), failed 0, backfillQueued 0, backfillFailed 0, redacted 0.",
    "3 unchanged.",
  ]);
  const [session, path] = [{ source: "copilot-cli", id: "a" }, "/a/events.jsonl"];
  const leftOut = [
    { session, path, why: "has 2 pictures, taken out of it", pictures: 2 },
    { session, path: "/a/session.db", why: "is a database" },
  ];
  expect(told({ created: 1, leftOut })[0]).toBe(
    "Synced with https://hub.test: 1 session is new there, 2 pictures left out.",
  );
  const preview = { ...session, title: "A", isSealed: false, bytes: 1, files: 1, redacted: [], leftOut };
  const run = { sessions: [preview], unchanged: 0, heldBack: 0, redacted: [], problems: [] };
  expect(printDryRun(run, { style: createStyle(false), columns: 400 }).at(-1)).toBe(
    "Left out: 1 file (1 is a database), and 2 pictures in conversations.",
  );
  const redacted = [{ kind: "github token", secrets: 1, places: 3 }];
  const sent = { created: 12, updated: 1, eventsUploaded: 1498, backfillQueued: 13, redacted };
  expect(told({ ...sent, outcome: "partial", failed: 1, backfillFailed: 2 })).toEqual(
    expect.arrayContaining([
      "Partly synced with https://hub.test: 12 sessions are new there, 1 session went on there, 1,498 events sent, 3 secrets replaced by marks, 13 sessions will soon be found by search, 2 sessions cannot be searched yet, 1 session could not be sent.",
      expect.stringContaining("backfillQueued 13, backfillFailed 2, redacted 3."),
    ]),
  );
});
