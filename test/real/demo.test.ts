/** The real programs take the demo's sessions for their own. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createDemo, type Demo } from "../../src/demo/create.ts";
import { workFolder } from "../../src/demo/places.ts";
import { CHAPTERS } from "../../src/demo/stories/index.ts";
import { tell, toId } from "../../src/demo/tell.ts";
import type { ContextMessage } from "../../src/model/session/context.ts";
import { localFs } from "../../src/platform/fs/local.ts";
import { type Catalog, openCatalog } from "../../src/sources/catalog.ts";
import { SOURCES } from "../../src/sources/registry.ts";
import { openClaude } from "./claude.ts";
import { startCopilot } from "./copilot.ts";
import { judgeWorkspace } from "./vscode-judge.ts";

const home = realpathSync(mkdtempSync(join(tmpdir(), "rethread-demo-")));
let demo: Demo;
let catalog: Catalog;

beforeAll(async () => {
  demo = await createDemo({ fs: localFs, sources: SOURCES, home, now: new Date() });
  catalog = openCatalog(SOURCES, { platform: process.platform, homeDir: home, vars: demo.vars }, localFs);
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** What we say the model would receive, as far as the wire can tell. */
async function contextOf(name: string): Promise<Omit<ContextMessage, "origin" | "madeUp">[]> {
  const artifact = (await catalog.scan()).artifacts.find(({ id }) => id === toId(name));
  if (!artifact) throw new Error(`no session called ${name}`);
  return (await catalog.context(artifact)).map(({ origin: _origin, madeUp: _madeUp, ...message }) => message);
}

it("Copilot CLI resumes a session with a compaction, its fork, and the torn one", async () => {
  const copilot = await startCopilot();
  try {
    cpSync(join(demo.folder, "copilot"), copilot.home, { recursive: true, preserveTimestamps: true });
    for (const name of ["checkout-machine", "checkout-library", "backfill", "flaky-login"]) {
      const expected = (await contextOf(name)).map(({ thinking: _thinking, ...message }) => message);
      const { messages } = await copilot.resume(toId(name));
      expect(messages, name).toEqual(expected);
    }
  } finally {
    await copilot.close();
  }
});

it("Copilot CLI itself rewinds the files of the session that has their states", async () => {
  const copilot = await startCopilot();
  try {
    cpSync(join(demo.folder, "copilot"), copilot.home, { recursive: true, preserveTimestamps: true });
    const sessionId = toId("flaky-login");
    const log = readFileSync(copilot.log(sessionId), "utf8").trimEnd().split("\n");
    const prompts = log.map((line) => JSON.parse(line)).filter(({ type }) => type === "user.message");
    const headless = await copilot.headless();
    await headless.resume(sessionId);
    const request = { sessionId, eventId: prompts[5].id, mode: "conversation-and-files" };
    expect(await headless.call("session.history.rewind", request)).toMatchObject({
      eventsRemoved: expect.any(Number),
    });
    await headless.close();
    const api = join(workFolder(demo.folder), "storefront/src/api");
    expect(readdirSync(api).sort()).toEqual(["login.test.ts", "rate-limiter.ts"]);
    expect(readFileSync(join(api, "rate-limiter.ts"), "utf8")).not.toContain("tooManyRequests");
  } finally {
    await copilot.close();
  }
});

it("Claude Code resumes a session with a compaction, and a fork", async () => {
  const claude = openClaude();
  try {
    for (const [name, folder] of [
      ["polars-migration", "harbor-etl"],
      ["walk-threads", "quill"],
    ] as const) {
      const workspace = join(demo.folder, "work", folder);
      const sent = await claude.messagesSent(
        { root: join(demo.folder, "claude"), workspace, remove: () => undefined },
        toId(name),
      );
      expect(sent, name).toEqual(await contextOf(name));
    }
  } finally {
    await claude.close();
  }
});

it("VS Code lists every chat with all its turns and can go on saving, but for the two that are damaged", async () => {
  const stores = join(demo.folder, "vscode", "User", "workspaceStorage");
  const judgements = await Promise.all(
    readdirSync(stores).map((store) => judgeWorkspace(join(stores, store))),
  );
  expect(judgements.map(({ indexAccepted }) => indexAccepted)).not.toContain(false);
  const verdicts = judgements
    .flatMap(({ sessions }) => sessions)
    .map(({ id, listed, title, turns, saveFails }) => {
      return { id, listed, title, prompts: turns?.map((turn) => turn.user), saveFails };
    });
  const expected = tell(CHAPTERS, workFolder(demo.folder), new Date())
    .filter(({ telling }) => telling.source === "vscode")
    .map(({ telling, story }) => ({
      id: story.id,
      listed: true,
      ...(telling.damage === undefined && {
        title: story.title,
        prompts: story.turns.map((turn) => turn.user),
      }),
    }));
  const byId = (a: { id: string }, b: { id: string }): number => (a.id < b.id ? -1 : 1);
  expect(verdicts.sort(byId)).toEqual(expected.sort(byId));
});
