import fc from "fast-check";
import { expect, it } from "vitest";
import { cutText, isCut, toNote } from "./cut-text.ts";
import { createHeldTexts, LONGEST_CUT } from "./held-text.ts";

const note = (characters: number): string => toNote("copilot-cli:a")(characters, 3);
const words = fc
  .tuple(fc.string({ unit: "grapheme", maxLength: 40 }), fc.integer({ min: 1, max: 400 }))
  .map(([word, times]) => `${word} `.repeat(times));

it("cuts a text that is held by its ends as it cuts the whole", () => {
  const limits = fc.constantFrom(0, 200, 300, 900, 1000, LONGEST_CUT);
  fc.assert(
    fc.property(words, limits, (text, limit) => {
      const texts = createHeldTexts((each) => each.length, "counted");
      const held = texts.hold(text);
      const short = cutText(text, limit, note).toWellFormed();
      expect(texts.count(held)).toBe(text.length);
      expect(isCut(text.length, limit, note)).toBe(short !== text.toWellFormed());
      expect(texts.cut(held, limit, note)).toBe(short === text.toWellFormed() ? held : short);
    }),
  );
});

it("holds no more of a text than its ends", () => {
  const texts = createHeldTexts(() => 1, "uncounted");
  expect(texts.hold("x".repeat(1_000_000)).length).toBeLessThan(LONGEST_CUT + 20);
  expect(texts.hold("a short one")).toBe("a short one");
});

it("tells texts with the same ends apart", () => {
  const texts = createHeldTexts((text) => text.length, "counted");
  const [one, other] = [texts.hold("x".repeat(3000)), texts.hold("x".repeat(4000))];
  expect([texts.count(one), texts.count(other)]).toEqual([3000, 4000]);
  expect(texts.cut(other, 300, note)).toContain("3700 characters left out");
});

it("refuses to cut to more than it holds", () => {
  const texts = createHeldTexts(() => 1, "uncounted");
  expect(() => texts.cut(texts.hold("x".repeat(5000)), LONGEST_CUT + 1, note)).toThrow("held by its ends");
});
