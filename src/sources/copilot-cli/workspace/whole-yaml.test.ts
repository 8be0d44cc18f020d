import { describe, expect, it } from "vitest";
import { parseWhole } from "./whole-yaml.ts";

describe("YAML of any form", () => {
  it("gives text for every scalar but null", () => {
    expect(parseWhole("branch: 1.10\nname: |-\n  two\n  lines\nnone: null\nyes: true\n")).toEqual({
      branch: "1.10",
      name: "two\nlines",
      none: null,
      yes: "true",
    });
  });

  it.each(["a: 1\na: 2", "a: &x [*y]", "a: [1", '{"a": 1, "a": 2}', "---\na: 1\n---\nb: 2"])(
    "refuses %s",
    (text) => {
      expect(() => parseWhole(text)).toThrow();
    },
  );

  it("compares no key with all others", () => {
    // Comparing each with each would take minutes, and the test time out.
    const count = 60_000;
    const text = Array.from({ length: count }, (_, at) => `k${at}: v\n`).join("");
    expect(Object.keys(parseWhole(text) as object)).toHaveLength(count);
  });
});
