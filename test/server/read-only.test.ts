/** A server that only reads: questions and plans are answered, and every change is refused in one place. */
import { afterAll, beforeAll, expect, it } from "vitest";
import * as z from "zod";
import { loadApi } from "../../src/server/endpoints.ts";
import { startTestServer, type TestServer } from "./test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ isReadOnly: true });
});
afterAll(() => server.stop());

it("refuses everything that writes, whatever it is sent", async () => {
  const { endpoints } = await loadApi(z);
  const writing = endpoints.filter(({ effect }) => effect === "writes");
  expect(writing.map(({ method, path }) => `${method} ${path}`)).toEqual(
    expect.arrayContaining([
      "POST /api/plans/{fingerprint}/apply",
      "PUT /api/settings",
      "POST /api/chats/send",
    ]),
  );
  for (const { method, path } of writing) {
    const answer = await server.post(path.replaceAll(/\{\w+\}/g, "x"), {}, { method });
    expect(answer, path).toMatchObject({ status: 403, code: "read-only" });
  }
});

it("still answers questions, and makes plans", async () => {
  expect((await server.client.health()).isReadOnly).toBe(true);
  const [session] = (await server.client.sessions({ source: "copilot-cli", limit: 1 })).sessions;
  const { fingerprint } = await server.client.plan("fork", { session: `copilot-cli:${session?.id}`, at: 0 });
  await expect(server.client.apply(fingerprint)).rejects.toMatchObject({ status: 403, code: "read-only" });
  expect((await server.client.history()).writes).toEqual([]);
});

it("refuses a clone that would be written, and computes one that would not", async () => {
  const [chat] = (await server.client.sessions({ source: "vscode", limit: 1 })).sessions;
  const { workspaces } = await server.client.copilotWorkspaces();
  const hash = workspaces.find(({ folder }) => chat?.path.includes(folder))?.folder ?? "";
  const body = { sessionId: chat?.id ?? "", workspaceHash: hash };
  await expect(server.client.cloneCopilot(body)).rejects.toMatchObject({ status: 403, code: "READ_ONLY" });
  const computed = await server.client.cloneCopilot({ ...body, options: { writeToDisk: false } });
  expect(computed).toMatchObject({ success: true, writtenToDisk: false });
});
