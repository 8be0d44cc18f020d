import { expect, it } from "vitest";
import type { Artifact } from "../model/session/session.ts";
import { findChanges, inOrder, type Mark } from "./changes.ts";
import type { Fate } from "./vanished.ts";

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
  sidecars: null,
  version: 1,
  gone: 0,
  ...more,
});
const kinds = (artifacts: Artifact[], marks: Mark[], scanned = ["copilot-cli"], fate: Fate = "keep") => {
  const { changes, unchanged } = findChanges(artifacts, marks, scanned, 1, () => fate);
  return {
    unchanged,
    changes: changes.map(
      (change) => `${change.kind} ${"artifact" in change ? change.artifact.path : change.before.path}`,
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

it.each<[string, Artifact, Mark, string[]]>([
  ["files that are back as they were", artifact("/a"), mark("/a", { gone: 1 }), ["returned /a"]],
  ["files that are back and longer", artifact("/a", 20, 2), mark("/a", { gone: 1 }), ["read /a"]],
  [
    "files of which only our copy is left",
    { ...artifact("/a", 9), vanishedAt: "2026-11-01" },
    mark("/a"),
    ["vanished /a"],
  ],
  [
    "our copy of files that are known to be gone",
    { ...artifact("/a", 9), vanishedAt: "2026-11-01" },
    mark("/a", { gone: 1 }),
    [],
  ],
])("knows %s", (_case, found, known, changes) => {
  expect(kinds([found], [known]).changes).toEqual(changes);
});

it.each<[Fate, string[], string[]]>([
  ["keep", ["vanished /a"], []],
  ["remove", ["removed /a"], ["removed /a"]],
  ["leave", [], []],
])("with files gone and the fate %s, does %j, and %j when that was known", (fate, first, later) => {
  expect(kinds([], [mark("/a")], undefined, fate).changes).toEqual(first);
  expect(kinds([], [mark("/a", { gone: 1 })], undefined, fate).changes).toEqual(later);
});

it("gives the ids of what is gone free before it reads, and reads the newest first", () => {
  const { changes } = findChanges(
    [artifact("/b", 1, 5), artifact("/c", 1, 9)],
    [mark("/a")],
    ["copilot-cli"],
    1,
    () => "keep",
  );
  const order = inOrder(changes).map((change) =>
    "artifact" in change ? change.artifact.path : change.before.path,
  );
  expect(order).toEqual(["/a", "/c", "/b"]);
});

it("notices what vanished, but only in sources that were looked at", () => {
  expect(kinds([], [mark("/a")]).changes).toEqual(["vanished /a"]);
  expect(kinds([], [mark("/a")], ["vscode"]).changes).toEqual([]);
});
