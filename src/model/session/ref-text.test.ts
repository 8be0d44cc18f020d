import { expect, it } from "vitest";
import { refsNamed, toReference } from "./ref-text.ts";

it("knows references by their kind", () => {
  expect(toReference("pr:#42")).toEqual({ type: "pr", value: "42" });
  expect(toReference("commit:1a2b3c4")).toEqual({ type: "commit", value: "1a2b3c4" });
  for (const text of ["issue:7", "GH-7", "owner/repo#7"])
    expect(toReference(text)).toEqual({ type: "issue", value: "7" });
  expect(() => toReference("42")).toThrow(expect.objectContaining({ code: "usage" }));
  expect(() => toReference("the login")).toThrow(expect.objectContaining({ code: "usage" }));
});

it.each([
  ["https://github.com/o/r/pull/42", [{ type: "pr", value: "42" }]],
  ["https://gitlab.com/o/r/-/merge_requests/42", [{ type: "pr", value: "42" }]],
  ["https://github.com/o/r/issues/9", [{ type: "issue", value: "9" }]],
  ["https://github.com/o/r/commit/1a2b3c4d", [{ type: "commit", value: "1a2b3c4d" }]],
  [
    "#42",
    [
      { type: "pr", value: "42" },
      { type: "issue", value: "42" },
    ],
  ],
  ["1A2B3C4", [{ type: "commit", value: "1a2b3c4" }]],
  ["the login", []],
])("takes %s for what it may mean", (text, meant) => {
  expect(refsNamed(text)).toEqual(meant);
});
