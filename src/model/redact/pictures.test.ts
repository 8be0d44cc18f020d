import { deflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { rasterOf } from "../values/raster.ts";
import { isPlaceholder, type MediaFormat, placeholderOf } from "./media-formats.ts";
import { createPictureRemover } from "./pictures.ts";

/** Bytes that look like nothing, the same every time. */
const noise = (length: number): Buffer =>
  Buffer.from(Array.from({ length }, (_, at) => (Math.imul(at + 1, 2654435761) >>> 13) & 255));
const NOISE = noise(600);
const of = (head: string | readonly number[], rest = NOISE): Buffer =>
  Buffer.concat([typeof head === "string" ? Buffer.from(head, "latin1") : Buffer.from(head), rest]);
const PNG = of("\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");
const DATA = base64(PNG);
const POINT = placeholderOf("png");

const from = (text: string): string => createPictureRemover().from(text);
const counted = (text: string): number => {
  const remover = createPictureRemover();
  remover.from(text);
  return remover.counted();
};

describe("a picture is taken out", () => {
  it.each<[string, Buffer, MediaFormat]>([
    ["PNG", PNG, "png"],
    ["JPEG", of([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0]), "jpeg"],
    ["JPEG of a camera", of([0xff, 0xd8, 0xff, 0xe1, 0, 16, 0x45, 0x78]), "jpeg"],
    ["GIF", of("GIF89a"), "gif"],
    ["WebP", of("RIFF\x44\x33\0\0WEBPVP8L"), "webp"],
    ["sound", of("RIFF\x44\x33\0\0WAVEfmt "), "wav"],
    ["AVIF", of("\0\0\0\x1cftypavif"), "image"],
    ["HEIC", of("\0\0\0\x18ftypheic"), "image"],
    ["film", of("\0\0\0\x20ftypisom"), "other"],
    ["TIFF", of("II*\0\x08\0\0\0"), "image"],
    ["BMP", of("BM\x36\x03\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\x10\0\0\0"), "image"],
    ["icon", of("\0\0\x01\0\x01\0\x10\x10\0\0\x01\0\x20\0"), "image"],
    ["PDF", of("%PDF-1.7\n"), "pdf"],
  ])("whatever member or text holds it: %s", (_, bytes, format) => {
    const data = base64(bytes);
    const instead = placeholderOf(format);
    for (const text of [
      JSON.stringify({ any: { member: data }, after: "words" }),
      JSON.stringify({ inner: JSON.stringify({ deeper: JSON.stringify({ data }) }) }),
      JSON.stringify({ text: `$ base64 -w0 x\n${data}\n$ ` }),
      JSON.stringify({ src: `data:image/png;base64,${data}` }),
      JSON.stringify({ inner: JSON.stringify([`see <img src="data:image/png;name=x;base64,${data}">`]) }),
      JSON.stringify({ data }).replaceAll("/", "\\/"),
      JSON.stringify({ data }).replaceAll("+", "\\u002B").replaceAll("/", "\\u002f"),
      `image=${data}`,
    ]) {
      const plain = (json: string): string => json.replaceAll("\\/", "/");
      expect(plain(from(text))).toBe(
        plain(text).replaceAll("\\u002B", "+").replaceAll("\\u002f", "/").replaceAll(data, instead),
      );
      expect(counted(text)).toBe(1);
    }
  });

  it.each([76, 64, 40])("broken into lines of %i letters", (width) => {
    const lines = DATA.match(new RegExp(`.{1,${width}}`, "g"))?.join("\n") ?? "";
    for (const ending of ["\n", "\r\n", "\n\t"]) {
      const broken = lines.replaceAll("\n", ending);
      expect(from(`cat:\n${broken}\n\ndone`)).toBe(`cat:\n${POINT}\n\ndone`);
      const json = JSON.stringify({ text: `cat:\n${broken}\n\ndone` });
      expect(JSON.parse(from(json))).toEqual({ text: `cat:\n${POINT}\n\ndone` });
    }
  });

  it("given as numbers, in a list or by their places, in JSON or as it was printed", () => {
    const list = [...PNG];
    const instead = [...Buffer.from(POINT, "base64")];
    const object = (bytes: readonly number[]): object => ({ ...bytes });
    for (const wrap of [
      (bytes: readonly number[]) => ({ value: bytes, after: 1 }),
      (bytes: readonly number[]) => ({ value: object(bytes), after: 1 }),
      (bytes: readonly number[]) => ({ value: { type: "Buffer", data: bytes } }),
      (bytes: readonly number[]) => ({ text: JSON.stringify({ deep: JSON.stringify(object(bytes)) }) }),
    ]) {
      expect(from(JSON.stringify(wrap(list)))).toBe(JSON.stringify(wrap(instead)));
      expect(counted(JSON.stringify(wrap(list)))).toBe(1);
      expect(from(JSON.stringify(wrap(instead), null, 2))).toContain("137");
    }
    expect(JSON.parse(from(JSON.stringify({ value: list }, null, 2)))).toEqual({ value: instead });
  });

  it("of a format that is not known, where a media type stands beside it", () => {
    const data = base64(NOISE);
    expect(from(JSON.stringify({ mimeType: "image/jxl", data }))).toBe(
      JSON.stringify({ mimeType: "image/jxl", data: POINT }),
    );
    expect(from(JSON.stringify({ data, media_type: "application/zip" }))).not.toContain(data.slice(0, 50));
    expect(from(JSON.stringify({ src: `data:application/zip;base64,${data}` }))).not.toContain(
      data.slice(20, 50),
    );
  });

  it("as the rest of one that was begun in the text before, of the same record or the next", () => {
    const [one, two, three] = [DATA.slice(0, 300), DATA.slice(300, 600), DATA.slice(600)];
    const chunks = { parts: [one, two, `${three}\nand words`, "words"], other: two };
    expect(JSON.parse(from(JSON.stringify(chunks)))).toEqual({
      parts: [POINT, "", "\nand words", "words"],
      other: two,
    });
    const remover = createPictureRemover();
    const record = (text: string): string => JSON.stringify({ type: "chunk", data: { text } });
    expect(
      [`![](data:image/png;base64,${one}`, two, `${three})`, two].map((text) => remover.from(record(text))),
    ).toEqual([`![](data:image/png;base64,${POINT}`, "", ")", two].map(record));
    expect(remover.counted()).toBe(1);
    remover.from(record(one));
    remover.endLines();
    expect(remover.from(record(two))).toBe(record(two));
  });
});

describe("what is no picture stays", () => {
  it.each([
    JSON.stringify({ signature: base64(NOISE), type: "thinking", model: "openai/gpt" }),
    JSON.stringify({ sha: "ab12".repeat(80), mimeType: "image/png" }),
    JSON.stringify({ mimeType: "text/plain", data: base64(Buffer.from("a text ".repeat(60))) }),
    JSON.stringify({ mimeType: "application/json", data: base64(Buffer.from('{"a":"ü"} '.repeat(60))) }),
    `//# sourceMappingURL=data:application/json;base64,${base64(Buffer.from('{"version":3}'.repeat(9)))}`,
    "a PNG begins with iVBORw0KGgo, a JPEG with /9j/, and data:image/png;base64,… is an address",
    `nested${DATA}`,
    JSON.stringify({ list: [137, 80, 78], zeros: Array(99).fill(0), "0": 137, times: [255, 216, 1000] }),
    "cd /9j/some/folder && ls",
  ])("%s", (text) => {
    expect(from(text)).toBe(text);
    expect(counted(text)).toBe(0);
  });

  it("and what was taken out once is not taken out again", () => {
    for (const text of [
      `x ${DATA}`,
      JSON.stringify({ v: [...PNG], w: { ...PNG } }),
      `data:image/png;base64,${DATA}`,
    ]) {
      const once = from(text);
      expect(once).not.toBe(text);
      expect(from(once)).toBe(once);
      expect(counted(once)).toBe(0);
    }
  });

  it("in a text of any length, in time that grows with it", () => {
    const long = "iVBORw0KGgo/9j/UklGR".repeat(20_000);
    expect(from(long)).toBe(placeholderOf("png"));
    const slashes = `${"\\".repeat(500_000)}9j/`;
    expect(from(slashes)).toBe(slashes);
    const random = base64(deflateSync(noise(300_000)));
    expect(from(JSON.stringify({ encrypted_content: random }))).toBe(
      JSON.stringify({ encrypted_content: random }),
    );
  });
});

it("what stands in its place is a picture of the same format", () => {
  for (const format of ["png", "jpeg", "gif", "webp"] as const) {
    const content = Buffer.from(placeholderOf(format), "base64");
    expect(rasterOf(content)).toEqual({ type: `image/${format}`, width: 1, height: 1 });
    expect(isPlaceholder(content)).toBe(true);
  }
  expect(isPlaceholder(PNG)).toBe(false);
});
