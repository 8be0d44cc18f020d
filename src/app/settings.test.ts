import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Config } from "./config.ts";
import { readSettings, toSettings } from "./settings.ts";
import { knownSetting, listSettings, setSetting } from "./settings-file.ts";

const PATH = "/data/config.json";
const settings = (text?: string, overrides: Config["overrides"] = {}) => toSettings(PATH, text, overrides);
const variable = (name: keyof Config["overrides"], text: string): Config["overrides"] => ({
  [name]: { variable: `RETHREAD_${name.toUpperCase()}`, text },
});
const BACKUPS = { backupDays: 90, backupBytes: 2e9, prices: null, syncDeletes: false };

describe("toSettings", () => {
  it("has defaults for what nobody set", async () => {
    const defaults = { vanished: "keep", archive: false, ...BACKUPS };
    expect([await settings(), await settings("{}"), await settings("\ufeff{}")]).toEqual([
      defaults,
      defaults,
      defaults,
    ]);
  });

  it("takes what the file says, and rather what the environment says", async () => {
    const text = '{ "vanished": "remove", "archive": true }';
    expect(await settings(text)).toEqual({ vanished: "remove", archive: true, ...BACKUPS });
    expect(await settings(text, variable("archive", "false"))).toEqual({
      vanished: "remove",
      archive: false,
      ...BACKUPS,
    });
    expect(await settings(undefined, variable("vanished", "remove"))).toEqual({
      vanished: "remove",
      archive: false,
      ...BACKUPS,
    });
  });

  it("does not ask of the file what the environment overrules", async () => {
    expect(await settings('{"archive":"yes"}', variable("archive", "true"))).toMatchObject({ archive: true });
  });

  it("takes numbers of days and bytes, and bytes with their letter", async () => {
    const read = async (text: string) => {
      const { backupDays, backupBytes } = await settings(text);
      return [backupDays, backupBytes];
    };
    expect(await read('{"backupDays":0,"backupBytes":1000}')).toEqual([0, 1000]);
    expect(await read('{"backupDays":"30","backupBytes":"1.5 GB"}')).toEqual([30, 1.5e9]);
    expect((await settings("{}", variable("backupBytes", "10m"))).backupBytes).toBe(10e6);
  });

  it.each([
    ["{", undefined, /^\/data\/config\.json is not valid JSON: /, "Fix it, or remove it"],
    ["[]", undefined, "/data/config.json is not a JSON object", /^Write it like this: \{"vanished":"keep"/],
    ['{"archiv":true}', undefined, '/data/config.json: unknown setting "archiv"', 'Did you mean "archive"?'],
    [
      '{"color":true}',
      undefined,
      '/data/config.json: unknown setting "color"',
      "The settings are vanished, archive, backupDays, backupBytes, prices and syncDeletes",
    ],
    ['{"archive":"yes"}', undefined, '/data/config.json: "archive" is "yes"', "Valid values: true or false"],
    [
      '{"vanished":null}',
      undefined,
      '/data/config.json: "vanished" is null',
      'Valid values: "keep" or "remove"',
    ],
    [
      '{"backupDays":-1}',
      undefined,
      '/data/config.json: "backupDays" is -1',
      "Valid values: a whole number of days, such as 90",
    ],
    [
      '{"backupBytes":"lots"}',
      undefined,
      '/data/config.json: "backupBytes" is "lots"',
      'Valid values: a number of bytes, or a text such as "500 MB"',
    ],
    [
      '{"backupDays":{"toString":1}}',
      undefined,
      '/data/config.json: "backupDays" is {"toString":1}',
      "Valid values: a whole number of days, such as 90",
    ],
    [
      '{"prices":{"date":"2026-11-01","models":{"m":{"input":-1,"output":2}}}}',
      undefined,
      /^\/data\/config.json: "prices" is /,
      /^Valid values: null, or a table such as \{"date"/,
    ],
    [
      '{"prices":{"date":"2026-11-01","models":{"m":{"input":1,"output":2,"cached":1}}}}',
      undefined,
      /^\/data\/config.json: "prices" is /,
      /^Valid values: null, or a table such as \{"date"/,
    ],
    [
      '{"constructor":1}',
      undefined,
      '/data/config.json: unknown setting "constructor"',
      "The settings are vanished, archive, backupDays, backupBytes, prices and syncDeletes",
    ],
    [
      '{"__proto__":1}',
      undefined,
      '/data/config.json: unknown setting "__proto__"',
      "The settings are vanished, archive, backupDays, backupBytes, prices and syncDeletes",
    ],
    [
      "{}",
      variable("archive", "constructor"),
      'RETHREAD_ARCHIVE is "constructor"',
      'Valid values: "true" or "false"',
    ],
    ["{}", variable("archive", "1"), 'RETHREAD_ARCHIVE is "1"', 'Valid values: "true" or "false"'],
  ])("refuses %s %j, naming the place and what can be meant", async (text, overrides, message, hint) => {
    const matching = (wanted: string | RegExp) =>
      typeof wanted === "string" ? wanted : expect.stringMatching(wanted);
    let thrown: unknown;
    try {
      await settings(text, overrides);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({
      code: "config-invalid",
      message: matching(message),
      hint: matching(hint),
    });
  });
});

describe("settings that people change", () => {
  let dataHome: string;
  beforeEach(() => {
    dataHome = join(mkdtempSync(join(tmpdir(), "settings-")), "data");
  });
  afterEach(() => rmSync(join(dataHome, ".."), { recursive: true, force: true }));
  const change = (name: string, text: string) => setSetting({ dataHome, overrides: {} }, name, text);
  const file = (): string => readFileSync(join(dataHome, "config.json"), "utf8");

  it("say where they come from", async () => {
    await change("backupDays", "30");
    const { settings: all } = await listSettings({ dataHome, overrides: variable("archive", "true") });
    expect(all.map(({ name, value, from }) => [name, value, from])).toEqual([
      ["vanished", "keep", "default"],
      ["archive", true, "variable"],
      ["backupDays", 30, "file"],
      ["backupBytes", 2e9, "default"],
      ["prices", null, "default"],
      ["syncDeletes", false, "default"],
    ]);
  });

  it("may be a table, as the file has it", async () => {
    const models = { m: { input: 1, output: 2 } };
    await change("prices", JSON.stringify({ date: "2026-11-01", models }));
    const { prices } = await readSettings({ dataHome, overrides: {} });
    expect(prices).toEqual({ date: "2026-11-01", currency: "USD", models });
  });

  it("are written one at a time, checked, for their owner alone", async () => {
    await change("archive", "true");
    await change("backupBytes", "500 MB");
    expect(JSON.parse(file())).toEqual({ archive: true, backupBytes: "500 MB" });
    expect(statSync(join(dataHome, "config.json")).mode & 0o777).toBe(0o600);
    const before = file();
    await expect(change("vanished", "maybe")).rejects.toMatchObject({
      code: "usage",
      message: 'config.json would not be valid: "vanished" is "maybe"',
      hint: 'Valid values: "keep" or "remove"',
    });
    expect(file()).toBe(before);
  });

  it("replace one that is not valid", async () => {
    await change("archive", "true");
    writeFileSync(join(dataHome, "config.json"), '{ "archive": "perhaps" }');
    expect((await change("archive", "false")).settings[1]).toMatchObject({ value: false, from: "file" });
  });

  it("have known names", async () => {
    await expect(change("backupDay", "3")).rejects.toMatchObject({
      code: "usage",
      hint: "Did you mean backupDays?",
    });
    expect(() => knownSetting("toString")).toThrow(expect.objectContaining({ code: "usage" }));
  });
});
