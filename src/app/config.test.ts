import { describe, expect, it } from "vitest";
import { type ProcessInfo, toConfig } from "./config.ts";

const around = (more: Partial<ProcessInfo> = {}): ProcessInfo => ({
  vars: {},
  platform: "linux",
  homeDir: "/home/dev",
  folder: "/home/dev/work",
  stdout: {},
  stderr: {},
  self: ["node", "main.ts"],
  now: () => new Date(0),
  ...more,
});
const homeOf = (more: Partial<ProcessInfo>): string => toConfig({}, around(more)).dataHome;

describe("toConfig", () => {
  it("keeps our data where the platform keeps such things", () => {
    expect([
      homeOf({}),
      homeOf({ vars: { XDG_DATA_HOME: "/data" } }),
      homeOf({ platform: "darwin", homeDir: "/Users/dev" }),
      homeOf({ platform: "win32", homeDir: "C:\\Users\\dev" }),
      homeOf({ platform: "win32", vars: { LOCALAPPDATA: "D:\\Local" } }),
      homeOf({ vars: { RETHREAD_HOME: "/mine", XDG_DATA_HOME: "/data" } }),
    ]).toEqual([
      "/home/dev/.local/share/rethread",
      "/data/rethread",
      "/Users/dev/Library/Application Support/rethread",
      "C:\\Users\\dev\\AppData\\Local\\rethread",
      "D:\\Local\\rethread",
      "/mine",
    ]);
  });

  it.each([
    [{ stdout: { isTTY: true } }, true],
    [{}, false],
    [{ stdout: { isTTY: true }, vars: { NO_COLOR: "1" } }, false],
    [{ stdout: { isTTY: true }, vars: { NO_COLOR: "" } }, true],
    [{ vars: { FORCE_COLOR: "1" } }, true],
    [{ stdout: { isTTY: true }, vars: { FORCE_COLOR: "0" } }, false],
    [{ vars: { FORCE_COLOR: "1", NO_COLOR: "1" } }, false],
    [{ stdout: { isTTY: true }, vars: { TERM: "dumb" } }, false],
  ])("with %j, colors are %s", (more, color) => {
    expect(toConfig({}, around(more)).color).toBe(color);
  });

  it.each([
    [{ stdout: { isTTY: true, columns: 80 }, stderr: { isTTY: true, columns: 80 } }, [80, 80]],
    // A terminal that does not know its width, and one that is seen only through stderr.
    [{ stdout: { isTTY: true, columns: 0 }, stderr: { isTTY: true, columns: 0 } }, [120, 120]],
    [{ stderr: { isTTY: true, columns: 70 } }, [120, 70]],
    [{ stdout: { isTTY: true, columns: 90 } }, [90, 90]],
    [{ stderr: { isTTY: true, columns: 70 }, vars: { COLUMNS: "50" } }, [50, 50]],
    [{ stdout: { isTTY: true, columns: 5 } }, [30, 30]],
  ])("with %j, output and remarks are %j columns wide", (more, widths) => {
    const { columns, remarkColumns } = toConfig({}, around(more));
    expect([columns, remarkColumns]).toEqual(widths);
  });

  it.each([
    [{}, false],
    [{ stdin: { isTTY: true }, stderr: { isTTY: true } }, true],
    [{ stdin: { isTTY: true } }, false],
    [{ stdin: { isTTY: true }, stderr: { isTTY: true }, vars: { TERM: "dumb" } }, false],
  ])("with %j, somebody can be asked: %s", (more, canAsk) => {
    expect(toConfig({}, around(more)).canAsk).toBe(canAsk);
  });

  it("takes overrides of settings from variables that are not empty", () => {
    expect(
      toConfig({}, around({ vars: { RETHREAD_ARCHIVE: "true", RETHREAD_VANISHED: "" } })).overrides,
    ).toEqual({
      archive: { variable: "RETHREAD_ARCHIVE", text: "true" },
    });
  });

  it("lets a flag overrule the surroundings", () => {
    expect(toConfig({ color: false }, around({ vars: { FORCE_COLOR: "1" } })).color).toBe(false);
  });

  it("is as wide as it is told, then as the terminal, then wide enough to read", () => {
    expect([
      toConfig({}, around({ vars: { COLUMNS: "40" }, stdout: { isTTY: true, columns: 200 } })).columns,
      toConfig({}, around({ stdout: { isTTY: true, columns: 200 } })).columns,
      toConfig({}, around()).columns,
      toConfig({}, around({ vars: { COLUMNS: "many" } })).columns,
      toConfig({}, around({ vars: { COLUMNS: "3" } })).columns,
    ]).toEqual([40, 200, 120, 120, 30]);
  });
});
