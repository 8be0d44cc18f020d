import { expect, it } from "vitest";
import { launch } from "./launch.ts";

it.each([
  ["/home/dev/.config/Code/User", "/src/shop", ["code", "/src/shop"]],
  ["/home/dev/.config/Code - Insiders/User", "/src/shop", ["code-insiders", "/src/shop"]],
  ["C:\\Users\\dev\\AppData\\Roaming\\VSCodium\\User", "C:\\src", ["codium", "C:\\src"]],
  ["/home/dev/.config/Cursor/User", undefined, ["cursor"]],
  ["/elsewhere/User", "/src/shop", ["code", "/src/shop"]],
  [
    "/home/dev/.config/Code/User",
    "vscode-remote://wsl+u/src",
    ["code", "--folder-uri", "vscode-remote://wsl+u/src"],
  ],
  [
    "/home/dev/.config/Code/User",
    "vscode-remote://ssh/a.code-workspace",
    ["code", "--file-uri", "vscode-remote://ssh/a.code-workspace"],
  ],
])("starts the product that keeps %s on %s", (root, workspace, words) => {
  expect(launch(root, workspace)).toEqual(words);
});
