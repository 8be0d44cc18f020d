/** What is a picture, by its bytes alone. */
import { describe, expect, it } from "vitest";
import { rasterOf } from "./raster.ts";

const latin = (text: string): Buffer => Buffer.from(text, "latin1");
const u32 = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value, 4 * at);
  return bytes;
};
const PNG = Buffer.concat([latin("\x89PNG\r\n\x1a\n\0\0\0\rIHDR"), u32(640, 360), Buffer.alloc(9)]);
const JPEG = Buffer.concat([
  latin("\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0"),
  latin("\xff\xc4\0\x04ab"),
  latin("\xff\xff\xc2\0\x11\x08\x01\x68\x02\x80\x03"),
]);
const GIF = Buffer.concat([latin("GIF89a\x80\x02\x68\x01"), Buffer.alloc(3)]);
const riff = (chunk: Buffer): Buffer =>
  Buffer.concat([latin("RIFF\0\0\0\0WEBP"), chunk, Buffer.alloc(Math.max(0, 18 - chunk.length))]);
const VP8 = riff(latin("VP8 \0\0\0\0\0\0\0\x9d\x01\x2a\x80\x02\x68\x01"));
const VP8L = riff(Buffer.concat([latin("VP8L\0\0\0\0\x2f"), latin("\x7f\xc2\x59\x00")]));
const VP8X = riff(latin("VP8X\0\0\0\0\0\0\0\0\x7f\x02\0\x67\x01\0"));
const AVIF = Buffer.concat([latin("\0\0\0\x1cftypavif\0\0\0\0"), latin("\0\0\0\x14ispe"), u32(0, 640, 360)]);

describe("a picture", () => {
  it.each([
    ["image/png", PNG],
    ["image/jpeg", JPEG],
    ["image/gif", GIF],
    ["image/webp", VP8],
    ["image/webp", VP8L],
    ["image/webp", VP8X],
    ["image/avif", AVIF],
  ] as const)("%s", (type, bytes) => {
    expect(rasterOf(bytes)).toEqual({ type, width: 640, height: 360 });
    // A view into a larger buffer is read from its own first byte.
    expect(rasterOf(new Uint8Array(Buffer.concat([latin("<svg>"), bytes])).subarray(5))?.type).toBe(type);
    // Torn anywhere it is still that picture, or none.
    for (let end = 0; end < bytes.length; end++)
      expect([undefined, type]).toContain(rasterOf(bytes.subarray(0, end))?.type);
  });

  it.each([
    ["SVG", '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ["SVG behind a declaration", '<?xml version="1.0"?><svg/>'],
    ["HTML", "<!doctype html><script>alert(1)</script>"],
    ["a PDF", "%PDF-1.7"],
    ["a BMP", "BM\0\0\0\0\0\0\0\0"],
    ["HTML behind a signature", "\x89PNG\r\n\x1a\n<script>alert(1)</script><!-- padding padding -->"],
    ["HTML behind a start of image", "\xff\xd8\xff<script>alert(1)</script>"],
    ["a video", "\0\0\0\x1cftypmp42\0\0\0\0isommp42"],
    ["nothing", ""],
  ])("is not %s", (_, text) => {
    expect(rasterOf(latin(text))).toBeUndefined();
  });

  it("has a size", () => {
    const flat = Buffer.from(PNG);
    flat.writeUInt32BE(0, 20);
    expect(rasterOf(flat)).toBeUndefined();
  });

  it("is found in a loop of segments that goes nowhere", () => {
    expect(rasterOf(Buffer.concat([latin("\xff\xd8"), Buffer.alloc(100_000, 0xff)]))).toBeUndefined();
    expect(rasterOf(latin("\xff\xd8\xff\xe0\0\0\xff\xe0\0\0\xff\xe0\0\0"))).toBeUndefined();
  });
});
