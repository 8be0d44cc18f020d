/** Heavy work in processes of its own: the same answers, while others are answered, and nothing is left of it. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { OPERATIONS, type OperationName } from "../../src/operations/index.ts";
import type { Operation } from "../../src/operations/operation.ts";
import { runForJson } from "../../src/operations/run-for-json.ts";
import { laneOf } from "../../src/server/workers/workers.ts";
import { childrenOf, workersOf } from "./children.ts";
import { startTestServer, type TestServer } from "./test-server.ts";

const isLinux = process.platform === "linux";
const workers = (): number[] => workersOf(process.pid);
/** There may be a moment between a question and the process that answers it. */
const one = (): Promise<number> =>
  vi.waitFor(() => {
    const [pid] = workers();
    if (pid === undefined) throw new Error("no worker");
    return pid;
  });
const none = (): Promise<void> => vi.waitFor(() => expect(workers()).toEqual([]), { timeout: 10_000 });

describe("what workers answer", () => {
  let server: TestServer;
  let session: string;
  beforeAll(async () => {
    server = await startTestServer();
    const { sessions } = await server.app.list({ sources: ["copilot-cli"] });
    const [longest] = sessions.toSorted((a, b) => b.turns - a.turns);
    session = `${longest?.source}:${longest?.id}`;
  });
  afterAll(() => server.stop());

  const key = () => encodeURIComponent(session);
  it.each<[OperationName, () => string, () => object]>([
    ["lens", () => `/api/sessions/${key()}/lens`, () => ({ session })],
    ["lens", () => `/api/sessions/${key()}/lens?budget=2000`, () => ({ session, budget: 2000 })],
    [
      "lens",
      () => `/api/sessions/${key()}/lens?budget=900&changedOnly=1`,
      () => ({ session, budget: 900, changedOnly: true }),
    ],
    ["context", () => `/api/sessions/${key()}/context`, () => ({ session })],
    ["find", () => `/api/sessions/${key()}/find?q=test`, () => ({ session, text: "test" })],
    ["diff", () => `/api/diff?a=${key()}&b=${key()}`, () => ({ a: session, b: session })],
    ["doctor", () => "/api/problems", () => ({})],
    ["stats", () => "/api/stats?since=2020-01-01", () => ({ since: new Date("2020-01-01T00:00:00Z") })],
    ["stats-by", () => "/api/stats/day", () => ({ by: "day" })],
  ])("is what %s answers here (%#)", async (name, path, input) => {
    expect(laneOf(name)).toBeDefined();
    const { status, text } = await server.ask(path());
    const operation = (await OPERATIONS[name]()) as Operation;
    const here = await runForJson(server.app, operation, input(), { freshness: "stored" });
    expect(status).toBe(200);
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify({ schemaVersion: 1, ...here })));
  });

  it("is the same where it fails", async () => {
    const unknown = await server.ask("/api/sessions/copilot-cli%3Anobody/lens");
    expect([unknown.status, unknown.code]).toEqual([404, "session-not-found"]);
    const known = await server.ask("/api/sessions/copilot-cli%3Anobody");
    expect(unknown.json()).toEqual(known.json());
    const many = await server.ask("/api/sessions/copilot-cli/lens");
    expect([many.status, many.code]).toEqual([404, "session-not-found"]);
  });

  it("is sent whole, however long it is", async () => {
    const text = "€😀".repeat(100_000);
    const line = {
      type: "user.message",
      data: { content: text },
      id: "11111111-0000-4000-8000-000000000000",
      timestamp: "2026-11-18T00:00:00.000Z",
      parentId: null,
    };
    const [first] = (await server.app.list({ sources: ["copilot-cli"], limit: 1 })).sessions;
    writeFileSync(first?.path ?? "", `${JSON.stringify(line)}\n`);
    const answer = await server.ask(`/api/sessions/copilot-cli%3A${first?.id}/context`);
    expect(answer.json<{ messages: { text: string }[] }>().messages[0]?.text).toContain(text);
    expect(Number(answer.headers["content-length"])).toBe(Buffer.byteLength(answer.text));
  });
});

describe.runIf(isLinux)("while a worker works", () => {
  let server: TestServer;
  let lens: string;
  beforeEach(async () => {
    await none(); // of tests before this one
    server = await startTestServer();
    const { sessions } = await server.client.sessions({ source: "copilot-cli", limit: 1 });
    lens = `/api/sessions/copilot-cli%3A${sessions[0]?.id}/lens`;
  });
  afterEach(async () => {
    for (const pid of workers()) process.kill(pid, "SIGCONT");
    await server.stop();
    expect(workers()).toEqual([]);
  });

  it("all others are answered before it", async () => {
    const answered: string[] = [];
    const noting = async (what: string, answer: Promise<unknown>): Promise<void> => {
      await answer;
      answered.push(what);
    };
    const asked = noting("lens", server.ask(lens));
    process.kill(await one(), "SIGSTOP");
    const { client } = server;
    await noting("health", server.ask("/api/health"));
    await noting("sessions", client.sessions());
    await noting("search", client.search({ q: "test" }));
    await noting("stats", server.ask("/api/stats")); // a worker, too, but another one
    expect(answered).toEqual(["health", "sessions", "search", "stats"]);
    for (const pid of workers()) process.kill(pid, "SIGCONT");
    await asked;
    expect(answered.at(-1)).toBe("lens");
  });

  it("it is ended when the client goes away, and the next one gets another", async () => {
    const control = new AbortController();
    const url = `http://127.0.0.1:${server.port}${lens}`;
    const headers = { authorization: `Bearer ${server.token}` };
    const asked = fetch(url, { headers, signal: control.signal }).catch(() => "gone");
    const pid = await one();
    process.kill(pid, "SIGSTOP"); // it would not hear that it is to stop
    control.abort();
    expect(await asked).toBe("gone");
    await none();
    expect((await server.ask(lens)).status).toBe(200);
    expect(workers()).not.toContain(pid);
  });

  it("its end is told to those who wait, and to nobody else", async () => {
    const asked = server.ask(lens);
    process.kill(await one(), "SIGKILL");
    const { status, code } = await asked;
    expect([status, code]).toEqual([500, "system-failed"]);
    expect((await server.ask(lens)).status).toBe(200);
  });

  it("a plan stays with it: without it there is none", async () => {
    const { sessions } = await server.client.sessions({ source: "copilot-cli", limit: 1 });
    const input = { session: `copilot-cli:${sessions[0]?.id}`, name: "Another name" };
    const plan = await server.client.plan("rename", input);
    const again = await server.client.plan("rename", input);
    expect((await server.client.apply(plan.fingerprint)).operation).toMatch(/^[0-9a-f]{8}$/);
    const pid = await one();
    process.kill(pid, "SIGKILL");
    await vi.waitFor(() => expect(childrenOf(process.pid)).not.toContain(pid));
    const refused = await server.post(`/api/plans/${again.fingerprint}/apply`, undefined);
    expect([refused.status, refused.code]).toEqual([410, "plan-not-found"]);
  });
});

it.runIf(isLinux)(
  "leaves an index run that reads much to a worker, and tells of it as of others",
  async () => {
    await none();
    const server = await startTestServer();
    try {
      const [session] = (await server.client.sessions({ source: "copilot-cli", limit: 1 })).sessions;
      const control = new AbortController();
      const told = Promise.withResolvers<void>();
      const heard = server.client.events({
        signal: control.signal,
        onEvent: ({ type, data }) => {
          if (type === "session-changed" && "id" in data && data.id === "large") told.resolve();
        },
      });
      const folder = join(session?.path ?? "", "..", "..", "large");
      const { mkdirSync } = await import("node:fs");
      mkdirSync(folder);
      const record = (at: number) => ({
        type: "user.message",
        data: { content: `large ${at} ${"x".repeat(1 << 20)}` },
        id: `22222222-0000-4000-8000-00000000000${at}`,
        timestamp: "2026-11-18T00:00:00.000Z",
        parentId: null,
      });
      const lines = [0, 1, 2, 3, 4].map((at) => JSON.stringify(record(at)));
      writeFileSync(join(folder, "events.jsonl"), `${lines.join("\n")}\n`);
      await one();
      await told.promise;
      expect((await server.client.session("copilot-cli:large")).turns).toHaveLength(5);
      control.abort();
      await heard;
    } finally {
      await server.stop();
    }
  },
);
