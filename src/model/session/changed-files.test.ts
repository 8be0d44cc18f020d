import { expect, it } from "vitest";
import { joinSpellings } from "./changed-files.ts";

it("has a file once, however it was spelled, with the lines that one of the spellings has", () => {
  const lines = { added: 4, removed: 2 };
  expect(
    joinSpellings(
      [
        { path: "src/a.ts", action: "created", turn: 1 },
        { path: "./b.ts", action: "edited", turn: 1 },
        { path: "/srv/shop/src/a.ts", action: "edited", turn: 2, lines },
        { path: "/elsewhere/src/a.ts", action: "deleted" },
      ],
      "/srv/shop/",
    ),
  ).toEqual([
    { path: "/srv/shop/src/a.ts", action: "created", turn: 1, lines },
    { path: "/srv/shop/b.ts", action: "edited", turn: 1 },
    { path: "/elsewhere/src/a.ts", action: "deleted" },
  ]);
  expect(joinSpellings([{ path: "a.ts", action: "edited" }], undefined)).toEqual([
    { path: "a.ts", action: "edited" },
  ]);
});
