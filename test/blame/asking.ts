/** An app on the homes of made-up sessions, in a folder of its own. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createApp } from "../../src/app/app.ts";
import { toConfig } from "../../src/app/config.ts";
import type { App, BlameReport, BlameRequest } from "../../src/app/contract.ts";
import { type AgentHome, homeVars } from "./sessions.ts";

export interface Asking {
  readonly home: AgentHome;
  app(vars?: Readonly<Record<string, string>>): Promise<App>;
  /** Asks anew, after all that was written since; notices are collected. */
  blame(file: string, more?: Omit<BlameRequest, "file">): Promise<BlameReport & { notices: string[] }>;
  remove(): void;
}

export function createAsking(): Asking {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "rethread-blame-")));
  let clock = Date.parse("2026-10-01T08:00:00.000Z");
  const home = {
    folder,
    workspace: join(folder, "work/shop"),
    now: () => {
      clock += 7000;
      return new Date(clock);
    },
  };
  const app = (vars: Readonly<Record<string, string>> = {}): Promise<App> =>
    createApp(
      toConfig(
        {},
        {
          vars: { PATH: process.env.PATH, RETHREAD_HOME: join(folder, "data"), ...homeVars(folder), ...vars },
          platform: "linux",
          homeDir: join(folder, "person"),
          folder: home.workspace,
          stdout: {},
          stderr: {},
          self: [],
          now: () => new Date(clock),
        },
      ),
    );
  return {
    home,
    app,
    async blame(file, more = {}) {
      const notices: string[] = [];
      const onNotice = (sentence: string): void => void notices.push(sentence);
      return { ...(await (await app()).blame({ file, ...more }, { onNotice })), notices };
    },
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }),
  };
}
