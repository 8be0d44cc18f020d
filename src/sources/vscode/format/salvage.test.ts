import { expect, it } from "vitest";
import { salvage } from "./salvage.ts";

it("keeps what is whole of a torn value", () => {
  expect(salvage(Buffer.from('{"id":1,"list":[{"a":"x"},{"b":true,"c":"to'))).toEqual({
    id: 1,
    list: [{ a: "x" }, { b: true }],
  });
});

it("leaves out what is garbled, without a gap", () => {
  expect(salvage(Buffer.from('{"list":[1,"bad\u0001",3],"ok":"yes"}'))).toEqual({
    list: [1, 3],
    ok: "yes",
  });
});

it("gives nothing for nothing", () => {
  expect(salvage(Buffer.from("%%%"))).toBeUndefined();
});

it("does not let a key reach the prototype", () => {
  const salvaged = salvage(Buffer.from('{"__proto__":{"polluted":1},"a":"b')) as Record<string, unknown>;
  expect(Object.entries(salvaged)).toEqual([["__proto__", { polluted: 1 }]]);
  expect(salvaged.polluted).toBeUndefined();
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

it("takes names of members for nothing else, and the last of two members of one name", () => {
  expect(salvage(Buffer.from('{"constructor":{"a":1},"b":2,"b":{"c":3},"d":"torn'))).toEqual({
    constructor: { a: 1 },
    b: { c: 3 },
  });
  expect(Object).not.toHaveProperty("a");
});

it("keeps what stands around something that is nested deeply, and needs no more memory for it", () => {
  const deep = Buffer.from(`{"kept":1,"list":[2,${"[".repeat(1_000_000)}`);
  expect(salvage(deep)).toEqual({ kept: 1, list: [2] });
});
