import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { answerTo, copilotFiles, copilotId, type Step } from "../../test/made-up-turns.ts";
import { fixOf } from "../model/problem.ts";
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
    const advice = (await app.doctor()).problems.flatMap((problem) =>
      problem.remedy ? [fixOf(problem)] : [],
    );
    expect(advice.length).toBeGreaterThan(0);
    for (const fix of advice) expect(fix).toMatch(/ --demo$/);
  });

  it("reads one turn of a long log without the rest of it, once the log is indexed", async () => {
    const [source, at] = [join(folder, "home/.copilot"), new Date("2026-07-01T00:00:00Z")];
    const long = Array.from({ length: 4000 }, (): Step[] => [
      { does: "ask", text: "Look into it", attached: false },
      { does: "answer" },
    ]).flat();
    const log = join(source, `session-state/${copilotId(0)}/events.jsonl`);
    for (const [name, content] of Object.entries(copilotFiles(0, long))) {
      mkdirSync(dirname(join(source, name)), { recursive: true });
      writeFileSync(join(source, name), content);
      utimesSync(join(source, name), at, at);
    }
    const app = await createApp(config("off"));
    const show = async (): Promise<(string | number)[]> => {
      const told: (string | number)[] = [];
      await app.show(
        copilotId(0),
        { turn: 3000 },
        {
          head: (_session, problems) => void told.push(problems.length),
          preamble: () => undefined,
          turn: ({ assistant }) => void told.push(assistant),
        },
      );
      return told;
    };
    const answer = answerTo(6001);
    expect(await show()).toEqual([0, answer]);
    await app.index({});
    // Something that only those find who read it, as neither its size nor its time tells.
    const file = openSync(log, "r+");
    writeSync(file, "?", 5000);
    closeSync(file);
    utimesSync(log, at, at);
    expect(await show()).toEqual([0, answer]);
    rmSync(join(folder, "data"), { recursive: true });
    expect((await show())[0]).toBe(1);
  });
});
