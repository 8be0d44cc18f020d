import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { withoutCutWords } from "../model/text/cut-words.ts";
import { excerpt, wordsOf } from "./excerpt.ts";

const LONG = [
  "We looked at the pool first.",
  "Nothing was wrong there, and the numbers were as always.",
  "The cause is a listener that is never removed from the socket.",
  "So the heap grows with every request.",
  "Later we also renamed a file, which has nothing to do with it.",
  "The tests pass now.",
].join(" ");

describe("an excerpt", () => {
  it("is all of a short text", () => {
    expect(excerpt("Short.\n\n\n\nBut two.", ["x"], 100)).toBe("Short.\n\nBut two.");
  });

  it("has the sentences with the words, whatever their form, and says where some are left out", () => {
    expect(excerpt(LONG, wordsOf("why are listeners never removed"), 140)).toBe(
      "… The cause is a listener that is never removed from the socket. So the heap grows with every request. …",
    );
    expect(excerpt(LONG, wordsOf("pool"), 60)).toBe("We looked at the pool first. …");
  });

  it("is the beginning where no word is in it", () => {
    expect(excerpt(LONG, ["zebra"], 40)).toBe("We looked at the pool first. Nothing…");
  });

  it("takes long lines apart", () => {
    const text = `${"a ".repeat(400)}needle ${"b ".repeat(400)}`;
    const found = excerpt(text, ["needle"], 200);
    expect(found).toContain("needle");
    expect(found.length).toBeLessThanOrEqual(210);
  });

  it("is never much longer than its limit, and always well formed", () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 3000, unit: "grapheme" }),
        fc.array(fc.string({ minLength: 1, maxLength: 5 })),
        fc.integer({ min: 20, max: 500 }),
        (text, words, limit) => {
          const found = excerpt(text, words, limit);
          expect(found.length).toBeLessThanOrEqual(limit + 6);
          expect(found.isWellFormed() || !text.isWellFormed()).toBe(true);
        },
      ),
    );
  });
});

it("looks for the telling words of a question", () => {
  expect(wordsOf('How did I fix the "rate-limiter" AND rateLimiter?')).toEqual([
    "fix",
    "rate",
    "limiter",
    "ratelimiter",
  ]);
});

it.each([
  ["a short text", "a short text"],
  ["…q7Rt2Yx9q7Rt2 and more", "… and more"],
  ["use ghp_q7Rt2Yx9q7…", "use …"],
  ["one … q7Rt2Yx9q7Rt two … end", "one … two … end"],
  ["the last word…", "the last word…"],
])("takes what may be half a key out of %j", (snippet, left) => {
  expect(withoutCutWords(snippet)).toBe(left);
});
