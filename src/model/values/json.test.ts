import { describe, expect, it } from "vitest";
import { cutDeep, isSameJson, MAX_DEPTH, readJson, readNested, TOO_DEEP, writeJson } from "./json.ts";

const nested = (levels: number, inside = "1"): string =>
  `${'{"a":['.repeat(levels / 2)}${inside}${"]}".repeat(levels / 2)}`;
const FAR = 20_000;

describe("reading what is nested deeply", () => {
  it("leaves alone what is within the limit", () => {
    const text = nested(MAX_DEPTH);
    expect(readNested(text)).toEqual({ value: JSON.parse(text), isCut: false });
  });

  it("cuts what is deeper, and all of Node's own functions can take the rest", () => {
    const { value, isCut } = readNested(`{"kept":{"b":[2]},"deep":${nested(FAR)}}`);
    expect(isCut).toBe(true);
    expect(value).toMatchObject({ kept: { b: [2] } });
    const text = JSON.stringify(value);
    expect(text).toContain(TOO_DEEP);
    expect(text.replace(TOO_DEEP, "").match(/[{[]/g)).toHaveLength(MAX_DEPTH + 2); // two stand beside it
    expect(structuredClone(value)).toEqual(value);
  });

  it("counts levels, not members", () => {
    const wide = JSON.stringify(Array.from({ length: 5000 }, () => ({ a: { b: [1] } })));
    expect(readNested(wide).isCut).toBe(false);
    expect(readJson(wide)).toEqual(JSON.parse(wide));
  });

  it("cuts a value in place, and says nothing of scalars", () => {
    const value = { a: { b: { c: 1 } }, d: "text" };
    expect(cutDeep(value, 2)).toBe(true);
    expect(value).toEqual({ a: { b: TOO_DEEP }, d: "text" });
    expect(cutDeep("text")).toBe(false);
    expect(cutDeep(null)).toBe(false);
  });
});

describe("writing what is nested deeply", () => {
  it("writes the very text that was parsed", () => {
    const text = `{"list":[1,"é\\"",null,true,{}],"deep":${nested(FAR, '[-1.5e+300,[],{"k":"v"}]')},"":0}`;
    expect(writeJson(JSON.parse(text))).toBe(text);
  });

  it("writes all else as JSON.stringify does", () => {
    for (const value of [{ a: undefined, b: 1 }, [1, { c: "d" }], "text", 1.5, null])
      expect(writeJson(value, 2)).toBe(JSON.stringify(value, undefined, 2));
    const deep: Record<string, unknown> = { left: undefined, deep: JSON.parse(nested(FAR)) };
    expect(writeJson(deep)).toBe(`{"deep":${nested(FAR)}}`);
  });
});

describe("comparing", () => {
  it("compares values of any depth, whatever the order of their members", () => {
    expect(isSameJson(JSON.parse(nested(FAR)), JSON.parse(nested(FAR)))).toBe(true);
    expect(isSameJson(JSON.parse(nested(FAR)), JSON.parse(nested(FAR, "2")))).toBe(false);
    expect(isSameJson({ a: 1, b: [2] }, { b: [2], a: 1 })).toBe(true);
    for (const [a, b] of [
      [{ a: 1 }, { a: 1, b: 2 }],
      [{ a: 1 }, { b: 1 }],
      [[], {}],
      [null, {}],
      [[1, 2], [1]],
      ["1", 1],
    ])
      expect(isSameJson(a, b), JSON.stringify([a, b])).toBe(false);
  });
});
