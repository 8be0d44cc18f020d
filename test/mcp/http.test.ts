/** MCP over HTTP: served to this machine alone, and to nobody without the token. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toConfig } from "../../src/app/config.ts";
import { type ServedMcp, serveMcpHttp } from "../../src/mcp/http.ts";
import { type Ask, send } from "../server/test-server.ts";
import { CITATION, startMcp, type TestMcp } from "./test-mcp.ts";

let mcp: TestMcp;
let served: ServedMcp;
const defects: unknown[] = [];
const serve = (port = 0): Promise<ServedMcp> => {
  const config = toConfig(
    { demo: "on" },
    {
      vars: { RETHREAD_HOME: `${mcp.folder}/data` },
      platform: process.platform,
      homeDir: mcp.folder,
      folder: mcp.folder,
      stdout: {},
      stderr: {},
      self: [],
      now: () => new Date(),
    },
  );
  return serveMcpHttp({ parts: mcp.parts, config, port, report: (error) => void defects.push(error) });
};

beforeAll(async () => {
  mcp = await startMcp();
  served = await serve();
});
afterAll(async () => {
  await served.stop();
  await mcp.close();
});

const connect = async (mode: "legacy" | "auto", token = served.token): Promise<Client> => {
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
  const headers = { authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(served.url), { requestInit: { headers } }));
  return client;
};

const LIST = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} });
const ask = (more: Ask & { path?: string } = {}) =>
  send(served.port, more.path ?? "/mcp", {
    method: "POST",
    body: LIST,
    ...more,
    headers: {
      host: `127.0.0.1:${served.port}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(!more.bare && { authorization: `Bearer ${served.token}` }),
      ...more.headers,
    },
  });

describe.each(["legacy", "auto"] as const)("the SDK's client that negotiates as %s", (mode) => {
  it("lists, calls and reads", async () => {
    const client = await connect(mode);
    expect(client.getProtocolEra()).toBe(mode === "auto" ? "modern" : "legacy");
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("session_store_sql");
    const answer = await client.callTool({ name: "search", arguments: { query: "login" } });
    expect(JSON.stringify(answer)).toMatch(CITATION);
    const { resources } = await client.listResources();
    const [content] = (await client.readResource({ uri: resources[0]?.uri ?? "" })).contents;
    expect(JSON.stringify(content)).toMatch(CITATION);
    expect((await client.listPrompts()).prompts.length).toBe(2);
    await client.close();
  });

  it("is told when its token is wrong", async () => {
    await expect(connect(mode, "wrong")).rejects.toThrow();
  });
});

it("answers who has the token, and nobody else", async () => {
  expect((await ask()).status).toBe(200);
  expect(await ask({ bare: true })).toMatchObject({ status: 401, code: "not-signed-in" });
  expect(await ask({ headers: { authorization: "Bearer x" } })).toMatchObject({ status: 401 });
  expect(await ask({ headers: { authorization: `Basic ${served.token}` } })).toMatchObject({ status: 401 });
  expect(await ask({ headers: { host: "evil.example" } })).toMatchObject({ code: "host-refused" });
  expect(await ask({ headers: { origin: "https://evil.example" } })).toMatchObject({
    code: "origin-refused",
  });
  expect(await ask({ headers: { "sec-fetch-site": "cross-site" } })).toMatchObject({
    code: "origin-refused",
  });
});

it("names itself in its hints, not the server of the web app", async () => {
  for (const headers of [
    { authorization: "Bearer x" },
    { host: "evil.example" },
    { origin: "https://evil.example" },
  ]) {
    const { status, text } = await ask({ headers });
    expect([401, 403]).toContain(status);
    expect(text).toMatch(/rethread mcp --http|pages are not served here/);
    expect(text).not.toContain("rethread serve");
  }
});

it("has nothing at other addresses, and takes no large or odd bodies", async () => {
  expect(await ask({ path: "/" })).toMatchObject({ status: 404, code: "route-not-found" });
  expect(await ask({ path: "/mcp/%2e%2e/x" })).toMatchObject({ status: 400 });
  expect((await ask({ body: "x".repeat(2 << 20) })).status).toBe(413);
  expect((await ask({ body: "not JSON" })).status).toBe(400);
  expect((await ask({ method: "DELETE", body: "" })).status).toBe(405);
  expect((await ask()).headers["x-content-type-options"]).toBe("nosniff");
});

it("keeps its token from run to run, and gives its port back", async () => {
  const other = await serve();
  expect(other.token).toBe(served.token);
  expect(other.url).toBe(`http://127.0.0.1:${other.port}/mcp`);
  await other.stop();
  const again = await serve(other.port);
  expect(again.port).toBe(other.port);
  await expect(serve(again.port)).rejects.toMatchObject({ code: "port-taken" });
  await again.stop();
});

it("slows down who guesses", async () => {
  const guesses = [];
  for (let at = 0; at < 8; at++) guesses.push(await ask({ headers: { authorization: `Bearer ${at}` } }));
  expect(guesses.at(-1)).toMatchObject({ status: 429, code: "too-many-requests" });
  expect((await ask()).status).toBe(200);
  expect(defects).toEqual([]);
});
