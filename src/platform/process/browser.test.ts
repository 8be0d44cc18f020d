import { describe, expect, it } from "vitest";
import { browserCommand } from "./browser.ts";

const PAGE = "/data/pages/it's a page.html";
const URL = "file:///data/pages/it's%20a%20page.html";
const on = (platform: NodeJS.Platform, vars: Record<string, string> = {}) =>
  browserCommand(PAGE, { platform, vars, folder: "/" });

describe("browserCommand", () => {
  it("is what the platform has for it", () => {
    expect(on("darwin")).toEqual(["open", PAGE]);
    expect(on("win32")?.slice(0, 2)).toEqual(["rundll32", "url.dll,FileProtocolHandler"]);
  });

  it("is the browser that is named, first of all", () => {
    expect(on("linux", { BROWSER: "firefox:chromium" })).toEqual(["firefox", URL]);
    expect(on("darwin", { BROWSER: "see --new %s" })).toEqual(["see", "--new", URL]);
  });

  it("is nothing without a screen, or without a program for it", () => {
    expect(on("linux")).toBeUndefined();
    expect(on("linux", { DISPLAY: ":0", PATH: "/nowhere" })).toBeUndefined();
  });
});
