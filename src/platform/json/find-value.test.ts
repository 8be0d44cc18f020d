import { describe, expect, it } from "vitest";
import { createValueFinder } from "./find-value.ts";

function find(text: string, path: readonly (string | number)[], size = text.length): string | undefined {
  const bytes = Buffer.from(text);
  const finder = createValueFinder(path);
  for (let at = 0; at < bytes.length; at += size) finder.push(bytes.subarray(at, at + size));
  const found = finder.end();
  return found && bytes.toString("utf8", found.start, found.end);
}

describe("a value by its path", () => {
  const text = '{"a":[{"b":"x"},{"b":"ü\\"]}","c":7}],"d":{"b":null},"e":"last"}';
  it.each([
    [[], text],
    [["a", 1, "b"], '"ü\\"]}"'],
    [["a", 1, "c"], "7"],
    [["a", 0], '{"b":"x"}'],
    [["d", "b"], "null"],
    [["e"], '"last"'],
    [["a", 2], undefined],
    [["a", "1"], undefined],
    [["a", 0, "b", 0], undefined],
    [["b"], undefined],
    [["__proto__"], undefined],
  ] as const)("%j", (path, value) => {
    for (const size of [text.length, 7, 1]) expect(find(text, path, size)).toBe(value);
  });

  it("is the last one of its name, and none where the text stops", () => {
    expect(find('{"a":1,"a":2}', ["a"])).toBe("2");
    expect(find('{"a":"never ends', ["a"])).toBeUndefined();
    expect(find("not json", ["a"])).toBeUndefined();
  });
});
