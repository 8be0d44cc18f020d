import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toFileNames } from "./export-names.ts";

const named = (title: string, id = "0b1c2d3e-4f5a", source = "claude-code") => ({ source, id, title });

describe("toFileNames", () => {
  it.each([
    ["Fix the login redirect", "fix-the-login-redirect-0b1c2d3e.md"],
    ["../../etc/passwd", "etc-passwd-0b1c2d3e.md"],
    ['CON: "a" <b> | c? *', "con-a-b-c-0b1c2d3e.md"],
    ["Größe ändern", "größe-ändern-0b1c2d3e.md"],
    ["登录 重定向", "登录-重定向-0b1c2d3e.md"],
    ["…", "session-0b1c2d3e.md"],
    [
      "Android build fails with unsupported class file major version 65",
      "android-build-fails-with-unsupported-class-file-major-0b1c2d3e.md",
    ],
  ])("calls %s %s", (title, name) => {
    expect(toFileNames([named(title)], "md")).toEqual([name]);
  });

  it("tells apart what would be called the same", () => {
    const sessions = [
      named("Fix it", "0b1c2d3e-1"),
      named("FIX IT", "0b1c2d3e-2"),
      named("fix it", "0b1c2d3e-2", "vscode"),
      named("fix it", "0b1c2d3e-2", "vscode"),
    ];
    expect(toFileNames(sessions, "md")).toEqual([
      "fix-it-0b1c2d3e.md",
      "fix-it-0b1c2d3e-2.md",
      "fix-it-vscode-0b1c2d3e-2.md",
      "fix-it-vscode-0b1c2d3e-2-2.md",
    ]);
  });

  it("gives names that every disk takes, whatever the title", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 100 }), (title) => {
        const [name = ""] = toFileNames([named(title)], "html");
        expect(name).toMatch(/^[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}-]*-0b1c2d3e\.html$/u);
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
      }),
      { numRuns: 100 },
    );
  });
});
