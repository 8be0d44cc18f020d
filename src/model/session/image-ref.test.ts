/** Ids of pictures come back from outside, so nothing but an id of ours is taken for one. */
import { describe, expect, it } from "vitest";
import { parseImageId, toAssetId, toImageId } from "./image-ref.ts";

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");

describe("the id of a picture", () => {
  it("tells the place again", () => {
    const place = { start: 70, end: 90, at: ["message", "content", 0] };
    expect(parseImageId(toImageId({ ...place }))).toEqual(place);
    expect(parseImageId(toImageId({ ...place, file: "/home/dev/a b/ü.jsonl" }))).toEqual({
      ...place,
      file: "/home/dev/a b/ü.jsonl",
    });
    expect(parseImageId(toAssetId("sha256:00ff"))).toEqual({ asset: "sha256:00ff" });
  });

  it.each([
    ["nothing", ""],
    ["no base64url", "../../etc/passwd"],
    ["no JSON", "AAAA"],
    ["an id with something behind it", `${toAssetId("sha256:00ff")}x`],
    ["no list", encoded({ start: 0, end: 1, at: [] })],
    ["an empty list", encoded([])],
    ["an empty asset", encoded([""])],
    ["a file alone", encoded([0, 1, [], ""])],
    ["a range that ends before it begins", encoded([9, 9, []])],
    ["a range before the file", encoded([-1, 9, []])],
    ["numbers that are none", encoded(["0", "9", []])],
    ["numbers beyond counting", encoded([0, 1e300, []])],
    ["a path that is none", encoded([0, 9, "data"])],
    ["a path through objects", encoded([0, 9, [{}]])],
    ["a path without end", encoded([0, 9, Array(33).fill("a")])],
    ["more than a place", encoded([0, 9, [], "/a", "/b"])],
    ["a book", encoded([0, 9, ["a".repeat(9000)]])],
  ])("is not %s", (_, id) => {
    expect(parseImageId(id)).toBeUndefined();
  });
});
