import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { changeFields, readFields } from "./workspace-text.ts";

const TEXT = `id: 0b1c
# a remark
name: |-
  first line

  second: line
branch: 1.10
future: {a: 1}
`;

describe("changeFields", () => {
  it("changes a value of several lines and leaves every other byte as it was", () => {
    expect(changeFields(TEXT, { name: "New: name" })).toBe(
      'id: 0b1c\n# a remark\nname: "New: name"\nbranch: 1.10\nfuture: {a: 1}\n',
    );
  });

  it("takes keys away and adds new ones at the end", () => {
    expect(changeFields("id: a\ncwd: /x", { cwd: undefined, fork_count: 2, gone: undefined })).toBe(
      "id: a\nfork_count: 2\n",
    );
    expect(changeFields("", { id: "a", user_named: true })).toBe("id: a\nuser_named: true\n");
  });

  it("writes the file anew where lines do not show what it says", () => {
    const changed = changeFields('{id: a, name: "b"}\n', { name: "c" });
    expect(readFields(changed)).toEqual({ id: "a", name: "c" });
  });

  it("reads back whatever name it was given, and all else as before", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (name) => {
        expect(readFields(changeFields(TEXT, { name }))).toEqual({ ...readFields(TEXT), name });
      }),
    );
  });
});
