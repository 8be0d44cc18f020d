/** A server that lives for weeks: homes go and come, its store is lost, the laptop sleeps, somebody asks too often. */
import { type ChildProcess, spawn } from "node:child_process";
import {
  appendFileSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createClient } from "../../src/client/client.ts";
import { storePath } from "../../src/store/open.ts";
import { builtCommand } from "../built.ts";
import { startTestServer, type TestServer } from "./test-server.ts";

const soon = { timeout: 30_000, interval: 100 };

describe("a server", () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startTestServer();
  });
  afterEach(() => server.stop());
  const sources = async (): Promise<string[]> => {
    const { status, json } = await server.ask("/api/sessions?limit=200");
    expect(status).toBe(200);
    const { sessions } = json<{ sessions: { source: string; vanishedAt: string | null }[] }>();
    return [
      ...new Set(sessions.filter((each) => each.vanishedAt === null).map((each) => each.source)),
    ].sort();
  };
  const all = ["claude-code", "copilot-cli", "vscode"];

  it("goes on while a home is gone, and finds it again", async () => {
    const home = join(server.folder, "data/demo/claude");
    await vi.waitFor(async () => expect(await sources()).toEqual(all), soon);
    renameSync(home, `${home}.away`);
    await vi.waitFor(async () => expect(await sources()).toEqual(["copilot-cli", "vscode"]), soon);
    renameSync(`${home}.away`, home);
    await vi.waitFor(async () => expect(await sources()).toEqual(all), soon);
  });

  it.each([
    ["is overwritten", (path: string) => writeFileSync(path, Buffer.from(readFileSync(path)).fill(7))],
    [
      "is deleted",
      (path: string) => {
        for (const part of ["", "-wal", "-shm"]) rmSync(path + part, { force: true });
      },
    ],
  ])("makes its store anew when that %s", async (_, lose) => {
    await vi.waitFor(async () => expect(await sources()).toEqual(all), soon);
    const [path = ""] = globSync(join(server.folder, "data/**/session-store.db"));
    expect(path.endsWith(storePath(""))).toBe(true);
    lose(path);
    await vi.waitFor(async () => expect(await sources()).toEqual(all), soon);
    expect((await server.ask("/api/search?q=login")).status).toBe(200);
  });

  it("says LIST_ERROR when workspaces cannot be listed, and nothing of why", async () => {
    Object.assign(server.app, { workspaces: () => Promise.reject(new Error("a secret place")) });
    const { status, text } = await server.ask("/api/copilot/workspaces");
    expect([status, JSON.parse(text)]).toEqual([
      500,
      { error: { message: "Failed to list workspaces", code: "LIST_ERROR" } },
    ]);
  });

  it("slows down who asks too often without a token, and nobody else", async () => {
    const asked: Awaited<ReturnType<typeof server.ask>>[] = [];
    const isRefused = ({ status }: { status: number }): boolean => status === 429;
    // A machine that is busy answers so slowly that some of what is allowed has come back before the last.
    for (let round = 0; round < 5 && !asked.some(isRefused); round++)
      asked.push(
        ...(await Promise.all(Array.from({ length: 340 }, () => server.ask("/api/health", { bare: true })))),
      );
    const refused = asked.filter(isRefused);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]?.headers["retry-after"]).toBe("1");
    expect(asked.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(300);
    expect((await server.ask("/api/history")).status).toBe(200);
  });
});

describe("a server's process", () => {
  let folder: string;
  let child: ChildProcess;
  const log = (): string => join(folder, ".copilot/session-state/one/events.jsonl");
  const say = (content: string): string =>
    `${JSON.stringify({ type: "user.message", data: { content }, id: content, timestamp: new Date().toISOString() })}\n`;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "rethread-survival-")));
    mkdirSync(join(folder, ".copilot/session-state/one"), { recursive: true });
    writeFileSync(log(), say("hello"));
    child = spawn(process.execPath, [builtCommand(), "serve", "--no-open", "--json", "--port", "0"], {
      env: { PATH: process.env.PATH, HOME: folder, RETHREAD_HOME: join(folder, "data"), TMPDIR: tmpdir() },
      stdio: ["ignore", "pipe", "ignore"],
    });
  });
  afterEach(() => {
    child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  });
  const ready = (): Promise<{ url: string; token: string }> =>
    new Promise((resolve) => child.stdout?.once("data", (line) => resolve(JSON.parse(String(line)))));

  it("tells after a sleep what was written meanwhile, on the same stream", async () => {
    const { url, token } = await ready();
    const client = createClient({ baseUrl: new URL(url).origin, token });
    const control = new AbortController();
    const changed: string[] = [];
    const listening = client.events({
      signal: control.signal,
      onEvent: (event) => void (event.type === "session-changed" && changed.push(event.data.id)),
    });
    await vi.waitFor(async () => expect((await client.sessions()).sessions).toHaveLength(1), soon);
    await vi.waitFor(async () => expect((await client.index()).isIndexing).toBe(false), soon);
    changed.length = 0;
    child.kill("SIGSTOP");
    appendFileSync(log(), say("written while it slept"));
    child.kill("SIGCONT");
    await vi.waitFor(() => expect(changed).toContain("one"), soon);
    const { hits } = await client.search({ q: "slept" });
    expect(hits).toHaveLength(1);
    control.abort();
    await Promise.resolve(listening).catch(() => undefined);
  });

  it("ends, though it is told so twice", async () => {
    await ready();
    const ended = new Promise((resolve) => child.once("close", (code, signal) => resolve(code ?? signal)));
    child.kill("SIGTERM");
    child.kill("SIGTERM");
    expect([0, 130, 143, "SIGTERM"]).toContain(await ended);
  });
});
