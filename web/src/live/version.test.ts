import { expect, it } from "vitest";
import { isReplaced } from "./version.ts";

const page = (script: string): string =>
  `<script type="module" src="${script}"></script><div id="root"></div>`;

it("knows new pages by the names of their scripts", () => {
  expect(isReplaced(page("/assets/index-aaaaaaaa.js"), ["/assets/index-aaaaaaaa.js"])).toBe(false);
  expect(isReplaced(page("/assets/index-bbbbbbbb.js"), ["/assets/index-aaaaaaaa.js"])).toBe(true);
});

it("takes no other answer for a new page", () => {
  expect(isReplaced("Not found", ["/assets/index-aaaaaaaa.js"])).toBe(false);
  expect(isReplaced("", [])).toBe(false);
});
