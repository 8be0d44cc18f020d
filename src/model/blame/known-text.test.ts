/** The text that recorded changes leave. */
import { expect, it } from "vitest";
import type { FileEdit } from "../session/file-edit.ts";
import { replayKnown, UNKNOWN_PART } from "./known-text.ts";

const path = "/a.ts";
const told = (edits: readonly FileEdit[]): string[] =>
  replayKnown(edits).lines.map(({ text, by }) => `${by} ${text}`);

it("is what was written, with later changes in it", () => {
  const edits: FileEdit[] = [
    { does: "write", path, text: "one\ntwo\nthree\n", isNew: true },
    { does: "replace", path, pairs: [{ before: "two", after: "2\n2b" }] },
    { does: "patch", path, hunks: [{ start: 4, newStart: 4, lines: ["-three", "+drei"] }] },
  ];
  expect(told(edits)).toEqual(["0 one", "1 2", "1 2b", "2 drei"]);
  expect(replayKnown(edits).isPartial).toBe(false);
});

it("begins with the file as it was, where a change says so", () => {
  const edits: FileEdit[] = [
    { does: "replace", path, before: "alpha\nbeta\n", pairs: [{ before: "beta", after: "gamma" }] },
  ];
  expect(told(edits)).toEqual(["-1 alpha", "0 gamma"]);
});

it("is no more than the parts that changes tell, where none tells the whole file", () => {
  const edits: FileEdit[] = [
    { does: "replace", path, pairs: [{ before: "a {\n  old\n}", after: "a {\n  new\n}" }] },
    { does: "replace", path, pairs: [{ before: "far away", after: "near" }] },
    { does: "replace", path, pairs: [{ before: "  new", after: "  newer" }] },
  ];
  expect(told(edits)).toEqual(["-1 a {", "2   newer", "-1 }", `-1 ${UNKNOWN_PART}`, "1 near"]);
  expect(replayKnown(edits).isPartial).toBe(true);
});

it("is nothing for a file that was deleted, or never changed", () => {
  expect(
    told([
      { does: "write", path, text: "x", isNew: true },
      { does: "delete", path },
    ]),
  ).toEqual([]);
  expect(told([])).toEqual([]);
});
