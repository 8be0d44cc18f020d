/** The clone contract of an earlier program, row by row: its fields, its messages, its codes. */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pidLike } from "../lookalike.ts";
import { startTestServer, type TestServer } from "./test-server.ts";

let server: TestServer;
let sessionId: string;
let workspaceHash: string;
let other: string;
let turns: number;
let title: string;
beforeAll(async () => {
  server = await startTestServer();
  const { workspaces } = await server.client.copilotWorkspaces();
  const { sessions } = await server.app.list({ sources: ["vscode"] });
  const healthy = sessions.filter(({ problems, turns: count }) => problems === 0 && count > 2);
  const found = healthy.flatMap((session) =>
    workspaces
      .filter(({ folder }) => session.path.includes(folder))
      .map(({ folder }) => ({ session, folder })),
  );
  const [first] = found;
  if (!first) throw new Error("the demo has no chat to clone");
  sessionId = first.session.id;
  workspaceHash = first.folder;
  turns = first.session.turns;
  title = first.session.title;
  other = workspaces.find(({ folder }) => folder !== workspaceHash)?.folder ?? "";
});
afterAll(() => server.stop());

const clone = (body: unknown) => server.post("/api/copilot/clone", body);
const asked = (options?: object) => ({ sessionId, workspaceHash, ...(options && { options }) });

describe("POST /api/copilot/clone", () => {
  it("writes a clone, and says where", async () => {
    const answer = await clone(asked());
    expect(answer.status).toBe(200);
    const body = answer.json<{ session: { sessionId: string }; sessionPath: string; backupPath: string }>();
    expect(body).toEqual({
      success: true,
      session: {
        sessionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        customTitle: expect.stringContaining(title),
      },
      stats: {
        originalTurns: turns,
        clonedTurns: turns,
        removedTurns: 0,
        originalTokens: expect.any(Number),
        clonedTokens: expect.any(Number),
        removedTokens: 0,
        compressionRatio: 0,
      },
      sessionPath: expect.stringContaining(workspaceHash),
      backupPath: expect.stringContaining("state.vscdb."),
      writtenToDisk: true,
    });
    expect(body.session.sessionId).not.toBe(sessionId);
    expect(readFileSync(body.sessionPath, "utf8")).toContain(body.session.sessionId);
    expect(existsSync(body.backupPath)).toBe(true);
    expect((await server.client.session(`vscode:${body.session.sessionId}`)).turns).toHaveLength(turns);
  });

  it("makes it smaller, in its workspace or another", async () => {
    const options = { removeToolCalls: true, compressPercent: 50, targetWorkspaceHash: other };
    const body = (await clone(asked(options))).json<{
      stats: Record<string, number>;
      sessionPath: string;
    }>();
    const { stats } = body;
    expect(stats.removedTurns).toBe(Math.floor(turns / 2));
    expect(stats.clonedTurns).toBe(turns - Math.floor(turns / 2));
    expect(stats.originalTokens).toBe((stats.clonedTokens ?? 0) + (stats.removedTokens ?? 0));
    expect(stats.compressionRatio).toBe(
      Math.round((1 - (stats.clonedTokens ?? 0) / (stats.originalTokens ?? 1)) * 100),
    );
    expect(body.sessionPath).toContain(other);
  });

  it("computes it without writing, with all that a download needs", async () => {
    const before = (await server.client.history()).writes.length;
    const body = (await clone(asked({ writeToDisk: false, compressPercent: 50 }))).json();
    expect(body).toMatchObject({
      success: true,
      writtenToDisk: false,
      session: {
        sessionId: expect.any(String),
        customTitle: expect.any(String),
        requests: expect.any(Array),
      },
      stats: { removedTurns: Math.floor(turns / 2) },
    });
    expect(body).not.toHaveProperty("sessionPath");
    expect(body).not.toHaveProperty("backupPath");
    const whole = (await clone(asked({ writeToDisk: false }))).json();
    expect(whole).toMatchObject({ stats: { originalTurns: turns, clonedTurns: turns, compressionRatio: 0 } });
    expect((await server.client.history()).writes).toHaveLength(before);
  });

  it.each([
    ["no body", undefined, "Invalid session ID format"],
    ["no id", { workspaceHash: "x" }, "Invalid session ID format"],
    ["an id that is none", { sessionId: "x", workspaceHash: "x" }, "Invalid session ID format"],
    ["a path for an id", { sessionId: "../../x", workspaceHash: "x" }, "Invalid session ID format"],
    ["no workspace", { sessionId: "00000000-0000-4000-8000-000000000000" }, "Workspace hash required"],
    [
      "an empty workspace",
      { sessionId: "00000000-0000-4000-8000-000000000000", workspaceHash: "" },
      "Workspace hash required",
    ],
  ])("refuses %s", async (_, body, message) => {
    const answer = await clone(body ?? {});
    expect(answer.status).toBe(400);
    expect(answer.json()).toEqual({ error: { code: "VALIDATION_ERROR", message } });
  });

  it.each([
    { compressPercent: 101 },
    { compressPercent: -1 },
    { compressPercent: 100 },
    { compressPercent: "5" },
    { writeToDisk: "no" },
  ])("refuses the options %j", async (options) => {
    const answer = await clone(asked(options));
    expect(answer).toMatchObject({ status: 400, code: "VALIDATION_ERROR" });
  });

  it.each([
    ["an unknown session", () => ({ ...asked(), sessionId: "00000000-0000-4000-8000-000000000000" })],
    ["a session of another workspace", () => ({ ...asked(), workspaceHash: other })],
    ["an unknown workspace", () => ({ ...asked(), workspaceHash: "nowhere" })],
    ["an unknown target", () => asked({ targetWorkspaceHash: "nowhere" })],
    ["a folder for a target", () => asked({ targetWorkspaceHash: "/tmp" })],
  ])("does not find %s", async (_, body) => {
    const answer = await clone(body());
    expect(answer.status).toBe(404);
    expect(answer.json()).toEqual({
      error: { code: "NOT_FOUND", message: expect.stringContaining("not found") },
    });
  });

  it("writes nothing while VS Code runs, and says so; what is only computed is computed", async () => {
    const { session } = await server.client.session(`vscode:${sessionId}`);
    const [user = ""] = session.path.split("workspaceStorage");
    const lock = join(user, "..", "code.lock");
    writeFileSync(lock, String(pidLike("code")));
    try {
      const answer = await clone(asked());
      expect(answer.status).toBe(409);
      expect(answer.json()).toEqual({
        error: { code: "VSCODE_LOCKED", message: expect.stringContaining("close VS Code") },
      });
      expect((await clone(asked({ writeToDisk: false }))).status).toBe(200);
    } finally {
      rmSync(lock);
    }
  });

  it("fails on what cannot be read", async () => {
    const written = (await clone(asked())).json<{ session: { sessionId: string }; sessionPath: string }>();
    writeFileSync(written.sessionPath, "\0".repeat(200));
    const answer = await clone({ sessionId: written.session.sessionId, workspaceHash });
    expect(answer.status).toBe(500);
    expect(answer.json()).toEqual({ error: { code: "CLONE_ERROR", message: "Clone operation failed" } });
  });
});

it("GET /api/copilot/workspaces lists ids and paths", async () => {
  const answer = await server.ask("/api/copilot/workspaces");
  expect(answer.status).toBe(200);
  const { workspaces, ...rest } = answer.json<{ workspaces: { folder: string; path: string }[] }>();
  expect(rest).toEqual({});
  expect(workspaces.length).toBeGreaterThan(1);
  for (const each of workspaces)
    expect(each).toEqual({ folder: expect.any(String), path: expect.any(String) });
  expect(workspaces.map(({ folder }) => folder)).toContain(workspaceHash);
});
