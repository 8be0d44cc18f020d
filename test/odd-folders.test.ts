/** Folders where files should be, and the other way round, in our own folder and in that of an agent. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createApp } from "../src/app/app.ts";
import { toConfig } from "../src/app/config.ts";
import type { App } from "../src/app/contract.ts";
import { AppError } from "../src/model/errors.ts";
import { line, start } from "./cli/home.ts";

const ID = "5e551011-aaaa-4bbb-8ccc-000000000001";
const BEGAN = new Date("2026-11-01T10:00:00.000Z");
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rethread-odd-"));
  const log = [start(ID, BEGAN), line("user.message", { content: "Paint it" }, BEGAN, 1)];
  put(`copilot/session-state/${ID}/events.jsonl`, log.map((each) => `${JSON.stringify(each)}\n`).join(""));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function put(name: string, text: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}
const notices: string[] = [];
const open = (): Promise<App> =>
  createApp(
    toConfig(
      {},
      {
        vars: {
          RETHREAD_HOME: join(folder, "own"),
          COPILOT_HOME: join(folder, "copilot"),
          CLAUDE_CONFIG_DIR: join(folder, "claude"),
          VSCODE_STORAGE_PATH: join(folder, "vscode"),
          RETHREAD_ARCHIVE: "true",
        },
        platform: "linux",
        homeDir: folder,
        folder,
        stdout: {},
        stderr: {},
        self: [],
        now: () => new Date("2026-11-15T12:00:00Z"),
      },
    ),
    (sentence) => void notices.push(sentence),
  );

/** What people ask, and what they have changed. */
const QUESTIONS: Record<string, (app: App) => Promise<unknown>> = {
  list: (app) => app.list({}),
  search: (app) => app.search({ text: "Paint", where: {}, limit: 5 }),
  index: (app) => app.index({}),
  rebuild: (app) => app.index({ rebuild: true }),
  doctor: (app) => app.doctor(),
  tree: (app) => app.tree({}),
  history: async (app) => (await app.edit()).history(),
  verify: async (app) => (await app.edit()).verify({ repair: true }),
  prune: async (app) => (await app.edit()).prune(),
  chats: async (app) => (await app.chat()).chats.list(),
  "own store": async (app) => (await app.copilotStore()).rebuild({ dryRun: true }),
  rename: async (app) => {
    const edit = await app.edit();
    return edit.apply((await edit.planRename(ID, "Barn")).fingerprint);
  },
  undo: async (app) => {
    const edit = await app.edit();
    return edit.apply((await edit.planUndo()).fingerprint);
  },
};

const isFine = (error: unknown): boolean => error instanceof AppError && error.exitCode !== 70;

/** A question that fails in another way than with a message for people. */
async function askAll(): Promise<string[]> {
  const odd: string[] = [];
  for (const [name, ask] of Object.entries(QUESTIONS)) {
    try {
      await ask(await open());
    } catch (error) {
      if (!isFine(error)) odd.push(`${name}: ${error instanceof Error ? error.stack : error}`);
    }
  }
  return odd;
}

describe("every question is answered or refused with a reason", () => {
  it.each([
    "own/session-store.db",
    "own/session-store.db-wal",
    "own/state.db",
    "own/state.db-wal",
    "own/write.lock",
    "own/config.json",
    "own/followups.due",
    "own/chats/abcd1234.json",
    "own/staging/abcd1234/where.json",
    "copilot/session-store.db",
    "copilot/session-store.db-wal",
    `copilot/session-state/${ID}/workspace.yaml`,
  ])("with a folder at %s", async (name) => {
    mkdirSync(join(folder, name), { recursive: true });
    expect(await askAll()).toEqual([]);
  });

  it.each([
    "own",
    "own/vault",
    "own/staging",
    "own/staging/abcd1234",
    "own/staging/abcd1234/where.json",
    "own/chats",
    "own/backups",
    "own/write.lock",
    "copilot/session-store.db",
  ])("with a file of nonsense at %s", async (name) => {
    put(name, "what is this }\n".repeat(300));
    expect(await askAll()).toEqual([]);
  });
});

it("names what is in the way, and what to do about it", async () => {
  mkdirSync(join(folder, "own/state.db"), { recursive: true });
  const refused = await QUESTIONS.rename?.(await open()).catch((error: unknown) => error);
  expect(refused).toMatchObject({
    code: "store-unusable",
    message: `${join(folder, "own/state.db")} is a folder, but should be a file`,
  });
});
