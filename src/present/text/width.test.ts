import fc from "fast-check";
import stringWidth from "string-width";
import { expect, it } from "vitest";
import { plain } from "./text.ts";
import { widthOf } from "./width.ts";

/** Every character there is, but for halves of others and what `plain` takes out. */
const printable = Array.from({ length: 0x20000 }, (_, code) => code)
  .filter((code) => code >= 0x20 && (code < 0xd800 || code > 0xdfff))
  .map((code) => String.fromCodePoint(code))
  .filter((char) => plain(char) === char);

it("is for every character alone what it is when it is looked up", () => {
  expect(printable.filter((char) => widthOf(char) !== stringWidth(char))).toEqual([]);
});

it("is so in any company, too", () => {
  const common = "aé→✓✅🚀漢ひカ한！─│█☂☔";
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.constantFrom(...common), fc.string({ unit: "grapheme" })), { maxLength: 12 }),
      (parts) => {
        const text = plain(parts.join(""));
        expect(widthOf(text)).toBe(stringWidth(text));
      },
    ),
  );
});

it("does not count our colors", () => {
  expect(widthOf("\x1b[1;31m→ red\x1b[0m ✅")).toBe(8);
});
