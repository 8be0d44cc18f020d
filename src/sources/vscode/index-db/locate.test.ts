import { describe, expect, it } from "vitest";
import { locate } from "./locate.ts";

const on = (platform: NodeJS.Platform, homeDir: string, vars: Record<string, string> = {}): string[] =>
  locate({ platform, homeDir, vars });

describe("where VS Code keeps its data", () => {
  it("knows every relative of VS Code on Linux", () => {
    expect(on("linux", "/home/dev")).toEqual([
      "/home/dev/.config/Code/User",
      "/home/dev/.config/Code - Insiders/User",
      "/home/dev/.config/VSCodium/User",
      "/home/dev/.config/VSCodium - Insiders/User",
      "/home/dev/.config/Code - OSS/User",
      "/home/dev/.config/Cursor/User",
      "/home/dev/.config/Windsurf/User",
      "/home/dev/.var/app/com.visualstudio.code/config/Code/User",
      "/home/dev/.var/app/com.visualstudio.code.insiders/config/Code - Insiders/User",
      "/home/dev/.var/app/com.visualstudio.code-oss/config/Code - OSS/User",
      "/home/dev/.var/app/com.vscodium.codium/config/VSCodium/User",
      "/home/dev/.var/app/com.vscodium.codium-insiders/config/VSCodium - Insiders/User",
      "/home/dev/.local/share/code-server/User",
      "/home/dev/.vscode-server/data/User",
      "/home/dev/.vscode-server-insiders/data/User",
      "/home/dev/.vscode-server-oss/data/User",
      "/home/dev/.vscodium-server/data/User",
      "/home/dev/.vscodium-server-insiders/data/User",
      "/home/dev/.cursor-server/data/User",
      "/home/dev/.windsurf-server/data/User",
    ]);
  });

  it("follows the XDG folders", () => {
    const roots = on("linux", "/home/dev", { XDG_CONFIG_HOME: "/c", XDG_DATA_HOME: "/d" });
    expect(roots).toContain("/c/Code/User");
    expect(roots).toContain("/d/code-server/User");
    expect(roots).not.toContain("/home/dev/.config/Code/User");
  });

  it("knows the folders of macOS and Windows", () => {
    expect(on("darwin", "/Users/dev")[0]).toBe("/Users/dev/Library/Application Support/Code/User");
    expect(on("darwin", "/Users/dev")).toContain(
      "/Users/dev/Library/Application Support/VSCodium - Insiders/User",
    );
    expect(on("win32", "C:\\Users\\dev")).toContain(
      "C:\\Users\\dev\\AppData\\Roaming\\VSCodium - Insiders\\User",
    );
    expect(on("win32", "C:\\Users\\dev")[0]).toBe("C:\\Users\\dev\\AppData\\Roaming\\Code\\User");
    expect(on("win32", "C:\\Users\\dev", { APPDATA: "D:\\Data" })[0]).toBe("D:\\Data\\Code\\User");
  });

  it("puts portable mode first and lets VSCODE_APPDATA replace the parent", () => {
    const roots = on("linux", "/home/dev", { VSCODE_PORTABLE: "/usb/data", VSCODE_APPDATA: "/data" });
    expect(roots.slice(0, 2)).toEqual(["/usb/data/user-data/User", "/data/Code/User"]);
  });

  it("looks nowhere else when it is told the folder", () => {
    const parsed = (path: string): string[] => on("linux", "/home/dev", { VSCODE_STORAGE_PATH: path });
    expect(parsed("/x/User/workspaceStorage")).toEqual(["/x/User"]);
    expect(parsed("/x/User/workspaceStorage/")).toEqual(["/x/User"]);
    expect(parsed("/copies/of/storage")).toEqual(["/copies/of/storage"]);
  });

  it("takes an empty variable for none", () => {
    expect(on("linux", "/home/dev", { VSCODE_STORAGE_PATH: "", XDG_CONFIG_HOME: "" })[0]).toBe(
      "/home/dev/.config/Code/User",
    );
  });
});
