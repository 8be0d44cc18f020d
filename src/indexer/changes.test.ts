import { expect, it } from "vitest";
import type { Artifact } from "../model/session.ts";
import { findChanges, type Mark } from "./changes.ts";

const artifact = (path: string, size = 10, mtimeMs = 1, ino = 7): Artifact => ({
  source: "copilot-cli",
  id: path,
  root: "/home",
  path,
  fingerprint: { size, mtimeMs, ino },
});
const mark = (path: string, more: Partial<Mark> = {}): Mark => ({
  source: "copilot-cli",
  path,
  session: path,
  size: 10,
  mtimeMs: 1,
  ino: 7,
  readTo: 10,
  listed: null,
  version: 1,
  ...more,
});
const kinds = (artifacts: Artifact[], marks: Mark[], scanned = ["copilot-cli"]) => {
  const { changes, unchanged } = findChanges(artifacts, marks, scanned, 1);
  return {
    unchanged,
    changes: changes.map(
      (change) => `${change.kind} ${change.kind === "vanished" ? change.before.path : change.artifact.path}`,
    ),
  };
};

it("does nothing about what has not changed", () => {
  expect(kinds([artifact("/a"), artifact("/b")], [mark("/a"), mark("/b")])).toEqual({
    unchanged: 2,
    changes: [],
  });
});

it.each<[string, Artifact, Mark[], string]>([
  ["a new file", artifact("/a"), [], "read /a"],
  ["a file that grew", artifact("/a", 20, 2), [mark("/a")], "tail /a"],
  [
    "a file that grew, of a source that cannot go on in the middle",
    artifact("/a", 20, 2),
    [mark("/a", { readTo: null })],
    "read /a",
  ],
  ["a file that shrank", artifact("/a", 5, 2), [mark("/a")], "read /a"],
  ["a file of the same size, written again", artifact("/a", 10, 2), [mark("/a")], "read /a"],
  ["another file under the same name", artifact("/a", 20, 2, 8), [mark("/a")], "read /a"],
  [
    "a file that its program now lists under another title",
    { ...artifact("/a"), listed: { state: "listed", title: "new" } },
    [mark("/a", { listed: '{"state":"listed","title":"old"}' })],
    "read /a",
  ],
  ["a file read by an older reader", artifact("/a"), [mark("/a", { version: 0 })], "read /a"],
])("%s: %#", (_case, found, known, change) => {
  expect(kinds([found], known)).toEqual({ unchanged: 0, changes: [change] });
});

it("notices what vanished, but only in sources that were looked at", () => {
  expect(kinds([], [mark("/a")]).changes).toEqual(["vanished /a"]);
  expect(kinds([], [mark("/a")], ["vscode"]).changes).toEqual([]);
});
