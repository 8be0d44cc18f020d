import { describe, expect, it } from "vitest";
import { nameHere, placeKey } from "./same-place.ts";
import { readablePlace } from "./workspace-place.ts";

const container = (config: object | string, path = "/workspaces/shop"): string =>
  `vscode-remote://dev-container%2B${Buffer.from(
    typeof config === "string" ? config : JSON.stringify(config),
  ).toString("hex")}${path}`;

describe("folders with several names", () => {
  it.each([
    ["C:\\Work\\Shop", "c:/work/shop", "c:\\work\\shop\\", "/mnt/c/work/shop", "/mnt/C/Work/Shop"],
    [
      ...["/home/me/shop", "\\\\wsl$\\Ubuntu\\home\\me\\shop", "\\\\wsl.localhost\\Debian\\home\\me\\shop"],
      ...["//wsl.localhost/Ubuntu/home/me/shop", "vscode-remote://wsl%2Bubuntu/home/me/shop"],
      container({ hostPath: "/home/me/shop", localDocker: true }),
      container("/home/me/shop"),
    ],
    ["/home/me/shop/api", container({ hostPath: "/home/me/shop" }, "/workspaces/shop/api")],
    [
      "c:\\work\\shop",
      container({ hostPath: "C:\\work\\shop" }),
      "vscode-remote://wsl+Ubuntu/mnt/c/work/shop",
    ],
  ])("are one: %s", (...names) => {
    expect(new Set(names.map(placeKey)).size).toBe(1);
  });

  it("are others where only the machine, the case or the beginning differs", () => {
    const names = [
      ...["/home/me/shop", "/home/me/Shop", "/home/me/shopping", "/mnt/data/shop", "D:\\shop"],
      ...["vscode-remote://ssh-remote+big/home/me/shop", "vscode-remote://ssh-remote+small/home/me/shop"],
      container({ hostPath: "/home/me/other" }),
      container("zz"),
    ];
    expect(new Set(names.map(placeKey)).size).toBe(names.length);
  });

  it.each([
    ["C:\\work\\shop", "linux", "/mnt/c/work/shop"],
    ["\\\\wsl$\\Ubuntu\\home\\me", "linux", "/home/me"],
    ["vscode-remote://wsl+Ubuntu/home/me", "linux", "/home/me"],
    [container({ hostPath: "/home/me/shop" }), "darwin", "/home/me/shop"],
    ["/home/me", "linux", undefined],
    ["vscode-remote://ssh-remote+big/home/me", "linux", undefined],
    ["/mnt/c/work", "win32", "C:\\work"],
    [container({ hostPath: "C:\\shop" }), "win32", "C:\\shop"],
    ["C:\\work", "win32", undefined],
    ["/home/me", "win32", undefined],
  ] as const)("is %s on %s known as %s", (folder, platform, here) => {
    expect(nameHere(folder, platform)).toBe(here);
  });

  it.each([
    ["vscode-remote://ssh-remote%2Bbig/home/me/shop", "/home/me/shop on ssh-remote+big"],
    ["vscode-remote://wsl+Ubuntu/home/me", "/home/me on wsl+Ubuntu"],
    [container({ hostPath: "/home/me/shop" }), "/workspaces/shop in a container"],
    ["C:\\work", "C:\\work"],
  ])("are read by people: %s", (folder, text) => {
    expect(readablePlace(folder)).toBe(text);
  });
});
