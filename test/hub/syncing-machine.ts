/** A machine of a person in tests of syncing: homes of its own, an app on them, and clones of repositories. */
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createApp } from "../../src/app/app.ts";
import { toConfig } from "../../src/app/config.ts";
import type { App } from "../../src/app/contract.ts";
import type { SyncApp } from "../../src/app/sync/contract.ts";
import type { Patience } from "../../src/hub/sync/retry.ts";
import { builtSelf } from "../built.ts";

export interface Machine {
  readonly home: string;
  readonly dataHome: string;
  readonly vars: Readonly<Record<string, string>>;
  readonly app: App;
  readonly sync: SyncApp;
  /** A clone of a repository on github.com, as far as rethread looks at one. */
  clone(repository: string, folder?: string): string;
  /** A session of Copilot CLI: a prompt and an answer for each text. */
  session(id: string, folder: string, texts: readonly string[]): string;
  /** Goes on with it. */
  say(id: string, text: string): void;
  write(path: string, text: string | Uint8Array): void;
  log(id: string): string;
  /** A file below the home of Copilot CLI. */
  pathOf(id: string, name?: string): string;
  /** An app with other variables. */
  as(vars: Readonly<Record<string, string>>): Promise<Machine>;
  remove(): void;
}

/** Repeats at once, and not for long. */
export const HASTY: Patience = {
  attempts: 4,
  firstMs: 1,
  longestMs: 2,
  random: () => 0.5,
  sleep: () => new Promise((resolve) => setTimeout(resolve, 1)),
};

let count = 0;
const nextId = (): string => `00000000-0000-4000-8000-${String(++count).padStart(12, "0")}`;
const NOW = new Date("2026-11-15T12:00:00.000Z");

export async function newMachine(
  name: string,
  vars: Readonly<Record<string, string>> = {},
  patience = HASTY,
): Promise<Machine> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), `rethread-${name}-`)));
  return machineAt(home, name, vars, patience);
}

async function machineAt(
  home: string,
  name: string,
  more: Readonly<Record<string, string>>,
  patience: Patience,
): Promise<Machine> {
  const dataHome = join(home, "rethread");
  const vars = { HOME: home, RETHREAD_HOME: dataHome, PATH: process.env.PATH ?? "", ...more };
  const config = toConfig(
    {},
    {
      vars,
      platform: process.platform,
      homeDir: home,
      folder: home,
      stdout: {},
      stderr: {},
      self: builtSelf(),
      machineName: name,
      now: () => NOW,
    },
  );
  const app = await createApp({ ...config, hub: { ...config.hub, patience } });
  const pathOf = (id: string, file = "events.jsonl"): string =>
    join(home, ".copilot/session-state", id, file);
  const write = (path: string, text: string | Uint8Array): void => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  const line = (type: string, data: object): string =>
    `${JSON.stringify({ type, data, id: nextId(), timestamp: new Date(NOW.getTime() + count * 1000).toISOString(), parentId: null })}\n`;
  const said = (text: string): string =>
    line("user.message", { content: text }) +
    line("assistant.message", { messageId: nextId(), content: `About ${text}`, toolRequests: [] });
  return {
    home,
    dataHome,
    vars,
    app,
    sync: await app.sync(),
    clone(repository, folder = join(home, "work", repository)) {
      write(
        join(folder, ".git/config"),
        `[remote "origin"]\n\turl = https://github.com/${repository}.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n`,
      );
      write(join(folder, ".git/HEAD"), "ref: refs/heads/main\n");
      return folder;
    },
    session(id, folder, texts) {
      const start = { sessionId: id, version: 1, producer: "copilot-agent", copilotVersion: "1.0.102" };
      const context = { cwd: folder, gitRoot: folder };
      const log =
        line("session.start", { ...start, startTime: NOW.toISOString(), context }) + texts.map(said).join("");
      write(pathOf(id), log);
      write(pathOf(id, "workspace.yaml"), `id: ${id}\ncwd: ${JSON.stringify(folder)}\n`);
      return id;
    },
    say: (id, text) => appendFileSync(pathOf(id), said(text)),
    write,
    log: (id) => readFileSync(pathOf(id), "utf8"),
    pathOf,
    as: (changed) => machineAt(home, name, { ...more, ...changed }, patience),
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}
