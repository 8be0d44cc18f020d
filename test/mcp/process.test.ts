/** The server as a process: only the protocol on stdout, an end with its client, and nothing left behind. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { builtCommand } from "../built.ts";
import { send } from "../server/test-server.ts";

let folder: string;
let children: ChildProcess[];
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "rethread-mcp-process-")));
  const home = join(folder, ".copilot/session-state/one");
  mkdirSync(home, { recursive: true });
  const line = {
    type: "user.message",
    data: { content: "hello needle" },
    id: "a",
    timestamp: "2026-11-01T09:00:00.000Z",
  };
  writeFileSync(join(home, "events.jsonl"), `${JSON.stringify(line)}\n{"half a line`);
  children = [];
});
afterEach(() => {
  for (const child of children) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

const env = (): Record<string, string> => ({
  PATH: process.env.PATH ?? "",
  HOME: folder,
  RETHREAD_HOME: join(folder, "data"),
  TMPDIR: tmpdir(),
});

const request = (id: number, method: string, params: object = {}): string =>
  `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;
const HELLO = `${request(1, "initialize", {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "test", version: "1" },
})}${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`;
const call = (id: number, name: string, input: object): string =>
  request(id, "tools/call", { name, arguments: input });

function start(...words: string[]): ChildProcess & { readonly ended: Promise<number | string | null> } {
  const child = spawn(process.execPath, [builtCommand(), "mcp", ...words], { cwd: folder, env: env() });
  children.push(child);
  const ended = new Promise<number | string | null>((resolve) =>
    child.once("close", (code, signal) => resolve(code ?? signal)),
  );
  return Object.assign(child, { ended });
}

/** Resolves with the first answer. */
const answered = (child: ChildProcess): Promise<string> =>
  new Promise((resolve) => child.stdout?.once("data", (piece) => resolve(String(piece))));

describe("the process", () => {
  it("answers requests from a pipe, with nothing but the protocol on stdout, and ends with its input", () => {
    const { stdout, status } = spawnSync(process.execPath, [builtCommand(), "mcp"], {
      cwd: folder,
      env: env(),
      encoding: "utf8",
      input: `${HELLO}${call(2, "search", { query: "needle" })}${call(3, "session_store_sql", { sql: "SELECT 1" })}not JSON\n${call(4, "read", { session: "nope" })}`,
    });
    expect(status).toBe(0);
    const messages = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(messages.map(({ jsonrpc, id }) => [jsonrpc, id]).sort()).toEqual([
      ["2.0", 1],
      ["2.0", 2],
      ["2.0", 3],
      ["2.0", 4],
    ]);
    expect(JSON.stringify(messages.find(({ id }) => id === 2))).toContain("copilot-cli:one turn 0");
  });

  it.each(["legacy", "auto"] as const)("serves the SDK's client that negotiates as %s", async (mode) => {
    const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [builtCommand(), "mcp"],
      env: env(),
      cwd: folder,
      stderr: "ignore",
    });
    await client.connect(transport);
    expect(client.getProtocolEra()).toBe(mode === "auto" ? "modern" : "legacy");
    expect((await client.listTools()).tools.length).toBeGreaterThan(5);
    const { content } = await client.callTool({ name: "sessions", arguments: {} });
    expect(JSON.stringify(content)).toContain("copilot-cli:one turn 0");
    const pid = transport.pid ?? 0;
    await client.close();
    expect(() => process.kill(pid, 0)).toThrow();
  });

  it("ends with a client that is killed in the middle of a call, and leaves nothing", async () => {
    const server = [process.execPath, builtCommand(), "mcp"].map((word) => JSON.stringify(word)).join(", ");
    // A client of its own process, which starts the server, asks for something long, and says who they are.
    const client = `
      const [command, ...args] = [${server}];
      const child = require("node:child_process").spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
      child.stdout.once("data", () => {
        child.stdin.write(${JSON.stringify(call(2, "session_store_sql", { sql: "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n" }))});
        setTimeout(() => console.log(child.pid), 400);
      });
      child.stdin.write(${JSON.stringify(HELLO)});`;
    const killed = spawn(process.execPath, ["-e", client], {
      cwd: folder,
      env: env(),
      stdio: ["ignore", "pipe", "ignore"],
    });
    children.push(killed);
    const pid = Number(await answered(killed));
    expect(process.kill(pid, 0)).toBe(true);
    killed.kill("SIGKILL");
    await gone(pid);
    expect(globSync(join(folder, "data/**/{*.lock,staging*}")).filter((path) => existsSync(path))).toEqual(
      [],
    );
    // Its query was a process of its own.
    const { stdout } = spawnSync("ps", ["-A", "-o", "args="], { encoding: "utf8" });
    expect(
      stdout.split("\n").filter((line) => line.includes(builtCommand()) && line.includes("--answer-query")),
    ).toEqual([]);
  });

  it("serves HTTP with a line for programs, and ends when it is told to", async () => {
    const server = start("--http", "--json");
    const line = JSON.parse(await answered(server));
    expect(line).toMatchObject({
      schemaVersion: 1,
      pid: server.pid,
      url: `http://127.0.0.1:${line.port}/mcp`,
    });
    const sent = { host: `127.0.0.1:${line.port}`, authorization: `Bearer ${line.token}` };
    expect((await send(line.port, "/elsewhere", { headers: sent })).status).toBe(404);
    server.kill("SIGTERM");
    expect(await server.ended).toBe(0);
  });

  it("ends when it is told to", async () => {
    const server = start();
    server.stdin?.write(HELLO);
    await answered(server);
    server.kill("SIGTERM");
    expect(await server.ended).toBe(0);
  });
});

/** Within ten seconds; half of them are its patience with answers that are under way. */
async function gone(pid: number): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`process ${pid} is still there`);
}
