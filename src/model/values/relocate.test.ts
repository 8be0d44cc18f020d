import { describe, expect, it } from "vitest";
import { createMentionFinder, relocate, relocateAny } from "./relocate.ts";

const UNIX = { from: "/src/shop", to: "/code/store" };
const WINDOWS = { from: String.raw`C:\src\shop`, to: String.raw`D:\code\store` };

describe("a path below a folder that moved", () => {
  it.each([
    ["/src/shop", "/code/store"],
    ["/src/shop/", "/code/store/"],
    ["/src/shop/a b/ü.ts", "/code/store/a b/ü.ts"],
  ])("%s is now %s", (path, moved) => expect(relocate(path, UNIX)).toBe(moved));

  it.each([
    "/src/shops",
    "/src/shop-2/a",
    "/src/shop.git",
    "/src",
    "src/shop/a",
    "/Src/shop",
    "/src/shop\\a",
  ])("%s stays", (path) => expect(relocate(path, UNIX)).toBeUndefined());

  it("stays when it climbs out again", () => expect(relocate("/src/shop/../other/a", UNIX)).toBeUndefined());

  it("may be spelled in any way that Windows takes for the same", () => {
    expect(relocate(String.raw`c:\SRC\shop\a.ts`, WINDOWS)).toBe(String.raw`D:\code\store\a.ts`);
    expect(relocate("C:/src/shop/a.ts", WINDOWS)).toBe(String.raw`D:\code\store/a.ts`);
    expect(relocate(String.raw`C:\src\shopping`, WINDOWS)).toBeUndefined();
  });

  it("takes the separators of the machine it goes to", () => {
    const away = { from: WINDOWS.from, to: "/code/store" };
    expect(relocate(String.raw`C:\src\shop\a\b.ts`, away)).toBe("/code/store/a/b.ts");
    expect(relocate("/src/shop/a/b.ts", { from: "/src/shop", to: WINDOWS.to })).toBe(
      String.raw`D:\code\store\a\b.ts`,
    );
  });

  it("may lead to the root of a disk", () => {
    expect(relocate("/src/shop/a", { from: "/src/shop", to: "/" })).toBe("/a");
    expect(relocate("/src/shop/a", { from: "/src/shop", to: "D:\\" })).toBe("D:\\a");
    expect(relocate("/src/shop", { from: "/src/shop", to: "/" })).toBe("/");
  });

  it("may be written as an address", () => {
    expect(relocateAny("file:///src/shop/a%20b.ts", UNIX)).toBe("file:///code/store/a%20b.ts");
    expect(relocateAny("file:///c%3A/src/shop/a.ts", WINDOWS)).toBe("file:///D%3A/code/store/a.ts");
    expect(relocateAny("file:///C:/src/shop/a.ts", WINDOWS)).toBe("file:///D:/code/store/a.ts");
    expect(relocateAny("file:///src/shopping", UNIX)).toBeUndefined();
    expect(relocateAny("file:///src/shop/%zz", UNIX)).toBeUndefined();
  });
});

describe("what a text says of the folder", () => {
  const change = (text: string, relocation = UNIX): string =>
    createMentionFinder(relocation)(text).reduceRight(
      (changed, { start, end, text: instead }) => changed.slice(0, start) + instead + changed.slice(end),
      text,
    );

  it.each([
    ["cd /src/shop && ls", "cd /code/store && ls"],
    ["See /src/shop.", "See /code/store."],
    ["'/src/shop/a.ts', file:///src/shop/b", "'/code/store/a.ts', file:///code/store/b"],
    [
      String.raw`{\"path\":\"/src/shop/a\"}\n/src/shop`,
      String.raw`{\"path\":\"/code/store/a\"}\n/code/store`,
    ],
  ])("%s", (text, changed) => expect(change(text)).toBe(changed));

  it.each(["/src/shopping", "/src/shop-2", "/src/shop.git", "x/src/shop", "/old/src/shop", "/src/shopé"])(
    "%s is about another one",
    (text) => expect(change(text)).toBe(text),
  );

  it("finds a folder whatever its name", () => {
    const odd = { from: "/src/a-b (1) [x] + é.d", to: "/code" };
    expect(change("ls '/src/a-b (1) [x] + é.d/a'", odd)).toBe("ls '/code/a'");
  });

  it("keeps as many backslashes as stood there", () => {
    expect(change(String.raw`in C:\src\shop\a`, WINDOWS)).toBe(String.raw`in D:\code\store\a`);
    expect(change(String.raw`"c:\\src\\shop\\a"`, WINDOWS)).toBe(String.raw`"D:\\code\\store\\a"`);
  });
});
