import { expect, it } from "vitest";
import { findEditor } from "./route.ts";

const ROOTS = [
  "/home/dev/.config/Code/User",
  "/home/dev/.config/Code - Insiders/User",
  "/home/dev/.config/VSCodium/User",
  "/home/dev/.vscode-server/data/User",
];

it.each([
  ["stable", 0],
  ["Code", 0],
  ["insiders", 1],
  ["Code - Insiders", 1],
  ["vscodium", 2],
  ["/home/dev/.config/VSCodium", 2],
  ["/home/dev/.vscode-server/data/User", 3],
])("finds the editor that people call %s", (name, index) => {
  expect(findEditor(ROOTS, name)).toBe(ROOTS[index]);
});

it("finds no editor that is not there", () => {
  expect(findEditor(ROOTS, "emacs")).toBeUndefined();
});
