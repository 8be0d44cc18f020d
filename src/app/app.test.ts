import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createApp } from "./app.ts";
import { type DemoMode, toConfig } from "./config.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rethread-app-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const config = (demo: DemoMode) =>
  toConfig(
    { demo },
    {
      vars: { RETHREAD_HOME: join(folder, "data") },
      platform: "linux",
      homeDir: join(folder, "home"),
      folder: join(folder, "home"),
      stdout: {},
      stderr: {},
      self: ["node", "main.ts"],
      now: () => new Date("2026-07-15T12:00:00.000Z"),
    },
  );

describe("createApp", () => {
  it("reads the person's own homes unless asked otherwise", async () => {
    const app = await createApp(config("off"));
    expect({ demo: app.demo, list: await app.list({}) }).toEqual({
      demo: undefined,
      list: { sessions: [], total: 0 },
    });
  });

  it("reads the demo when asked, making it first, and nothing else beside it", async () => {
    const app = await createApp(config("on"));
    const { sessions } = await app.list({});
    expect(app.demo).toBe("asked");
    expect(sessions.length).toBeGreaterThan(30);
    for (const { path } of sessions) expect(path.startsWith(join(folder, "data/demo"))).toBe(true);
  });

  it("falls back on the demo where nothing else is found", async () => {
    const app = await createApp(config("auto"));
    expect({ demo: app.demo, found: (await app.list({})).total > 0 }).toEqual({
      demo: "nothing-else",
      found: true,
    });
  });

  it("gives advice that works on the demo", async () => {
    const app = await createApp(config("on"));
    const advice = (await app.doctor()).problems.flatMap(({ fix }) =>
      fix?.startsWith("rethread ") ? [fix] : [],
    );
    expect(advice.length).toBeGreaterThan(0);
    for (const fix of advice) expect(fix).toMatch(/ --demo$/);
  });

  it("narrows by a folder named relative to where it was started", async () => {
    const app = await createApp({ ...config("on"), folder: join(folder, "data/demo/work/storefront") });
    const here = await app.list({ workspace: "." });
    expect(here.total).toBeGreaterThan(0);
    for (const { workspace } of here.sessions) expect(workspace).toMatch(/\/work\/storefront$/);
  });
});
