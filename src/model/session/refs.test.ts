import { describe, expect, it } from "vitest";
import { refsInText } from "./refs.ts";

const found = (text: string): string[] => refsInText(text).map(({ type, value }) => `${type} ${value}`);

describe("references as GitHub links them", () => {
  it.each([
    ["see lumen-shop/storefront#5", ["issue 5"]],
    ["(lumen-shop/storefront#5), and GH-12.", ["issue 5", "issue 12"]],
    ["vercel/next.js#123 and a-b/c_d.e#7", ["issue 123", "issue 7"]],
    ["gh-12 at the beginning", ["issue 12"]],
    ["merged in PR lumen-shop/storefront#41", ["pr 41"]],
    ["pull request GH-8", ["pr 8"]],
    ["https://github.com/a/b/pull/5 is a/b#5", ["pr 5"]],
    ["fixes a/b#3\nfixes #4", ["issue 4", "issue 3"]],
  ])("are found in %j", (text, refs) => {
    expect(found(text)).toEqual(refs);
  });

  it.each([
    "src/app#5",
    "docs/guide.md#12",
    "see /etc/hosts#5 and ./a/b#5 and ~/a/b#5",
    "a/b/c#5",
    "C:\\work\\a/b#5",
    "https://example.org/docs/page#5",
    "https://github.com/lumen-shop/storefront#5",
    "the colour a/b#333fff and #123456 and #fff",
    "C#5, F#7 and C/C#5",
    "page#5 and [here](lumen/page#5)",
    "`lumen/shop#5` in code",
    "```\nlumen/shop#5 GH-3\n```",
    "lumen/shop#0 lumen/shop#05 lumen/shop#5a lumen/shop#5-1 lumen/shop#5.2",
    "and/or#5",
    "AGH-12, GH-12-fix, feature/GH-12, GH-0, GH-x",
    "me@lumen/shop#5",
  ])("are not found in %j", (text) => {
    expect(found(text)).toEqual([]);
  });

  it("take no longer where text only looks like many of them", () => {
    const text = `${"a-".repeat(50_000)} ${"a/".repeat(50_000)} ${"`".repeat(50_001)} #1`;
    expect(found(text)).toEqual([]);
  });
});
