import { describe, expect, it } from "vitest";
import { changeMembers } from "./members.ts";

const TEXT = '{"a":1.0,"b":{"c":"x\\"}","d":[{"e":0.0}] },"f":null}';

describe("changeMembers", () => {
  it("changes a value and leaves every other byte as it was", () => {
    expect(changeMembers(TEXT, { a: "new" })).toBe('{"a":"new","b":{"c":"x\\"}","d":[{"e":0.0}] },"f":null}');
    expect(changeMembers(TEXT, { c: 2 }, ["b"])).toBe('{"a":1.0,"b":{"c":2,"d":[{"e":0.0}] },"f":null}');
  });

  it("takes members away, wherever they stand", () => {
    expect(changeMembers(TEXT, { a: undefined })).toBe('{"b":{"c":"x\\"}","d":[{"e":0.0}] },"f":null}');
    expect(changeMembers(TEXT, { f: undefined })).toBe('{"a":1.0,"b":{"c":"x\\"}","d":[{"e":0.0}] }}');
    expect(changeMembers('{"a":1}', { a: undefined })).toBe("{}");
    expect(changeMembers(TEXT, { z: undefined })).toBe(TEXT);
  });

  it("adds what is not there, and nothing below what is no object", () => {
    expect(changeMembers('{"a":1}', { b: [2] })).toBe('{"a":1,"b":[2]}');
    expect(changeMembers("{}", { b: true })).toBe('{"b":true}');
    expect(changeMembers(TEXT, { b: 1 }, ["a"])).toBe(TEXT);
  });
});
