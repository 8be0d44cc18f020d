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

interface Message {
  readonly id?: number | string | null;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

/** All that it says, as it comes. */
function heard(child: ChildProcess): Message[] {
  const messages: Message[] = [];
  let rest = "";
  child.stdout?.on("data", (piece) => {
    const lines = `${rest}${piece}`.split("\n");
    rest = lines.pop() ?? "";
    messages.push(...lines.map((line) => JSON.parse(line)));
  });
  return messages;
}

async function until(isSo: () => boolean): Promise<void> {
  for (let tries = 0; !isSo(); tries++) {
    if (tries > 400) throw new Error("it never was so");
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

const ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";

const ps = (...words: string[]): string[] =>
  spawnSync("ps", words, { encoding: "utf8" })
    .stdout.split("\n")
    .filter((line) => line.trim() !== "");

/** The processes that run queries for a server. */
const queriesOf = (pid: number): number[] =>
  ps("-A", "-o", "pid=,ppid=,args=")
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .filter((found) => Number(found?.[2]) === pid && found?.[3]?.includes("--answer-query"))
    .map((found) => Number(found?.[1]));

const residentMb = (pid: number): number => Number(ps("-o", "rss=", "-p", String(pid))[0]) / 1024;

/** Resolves with the first answer. */
const answered = (child: ChildProcess): Promise<string> =>
  new Promise((resolve) => child.stdout?.once("data", (piece) => resolve(String(piece))));

describe("the process", () => {
  it("answers every line, with nothing but the protocol on stdout, and ends with its input", async () => {
    const server = start();
    const messages = heard(server);
    server.stdin?.write(
      `${HELLO}${call(2, "search", { query: "needle" })}not JSON\n${call(3, "session_store_sql", { sql: "SELECT 1" })}`,
    );
    server.stdin?.write(`[]\n"text"\n{"jsonrpc":"2.0","id":9}\n{"id":"x","method":"ping"}\n\n`);
    server.stdin?.write(call(4, "read", { session: "nope" }));
    await until(() => messages.length === 9);
    const failures = messages.filter(({ error }) => error).map(({ id, error }) => [id, error?.code]);
    expect(failures).toEqual([
      [null, -32700],
      [null, -32600],
      [null, -32600],
      [9, -32600],
      ["x", -32600],
    ]);
    const answers = messages.filter(({ result }) => result);
    expect(answers.map(({ id }) => id).toSorted()).toEqual([1, 2, 3, 4]);
    expect(JSON.stringify(answers.find(({ id }) => id === 2))).toContain("copilot-cli:one turn 0");
    server.stdin?.end();
    expect(await server.ended).toBe(0);
  });

  it("begins the copy without secrets before anything is asked", async () => {
    const copy = join(folder, "data/redacted/session-store.db");
    const server = start();
    server.stdin?.write(HELLO);
    await until(() => existsSync(copy));
    server.stdin?.end();
    expect(await server.ended).toBe(0);
    // Who goes on with what the first one left half-way has all of it.
    const next = start();
    next.stdin?.write(`${HELLO}${call(2, "search", { query: "needle" })}`);
    const messages = heard(next);
    await until(() => messages.length === 2);
    expect(JSON.stringify(messages[1])).toContain("copilot-cli:one turn 0");
    next.stdin?.end();
    expect(await next.ended).toBe(0);
  });

  it("refuses a line without an end, holds none of it, and goes on", async () => {
    const server = start();
    const messages = heard(server);
    server.stdin?.write(HELLO);
    await until(() => messages.length === 1);
    const before = residentMb(server.pid ?? 0);
    const piece = Buffer.alloc(1 << 20, "x");
    for (let at = 0; at < 200; at++)
      if (!server.stdin?.write(piece)) await new Promise((resolve) => server.stdin?.once("drain", resolve));
    server.stdin?.write(`\n${request(2, "ping")}`);
    await until(() => messages.length === 3);
    expect(messages[1]).toMatchObject({ id: null, error: { code: -32600 } });
    expect(messages[1]?.error?.message).toContain("4 MB");
    expect(messages[2]).toMatchObject({ id: 2, result: {} });
    expect(residentMb(server.pid ?? 0) - before).toBeLessThan(120);
  });

  it("stops what it is asked when its input ends, and the process of the query with it", async () => {
    const server = start();
    const messages = heard(server);
    server.stdin?.write(`${HELLO}${call(2, "session_store_sql", { sql: "SELECT 1" })}`);
    await until(() => messages.length === 2);
    server.stdin?.write(call(3, "session_store_sql", { sql: ENDLESS }));
    await until(() => queriesOf(server.pid ?? 0).length === 1);
    const [query = 0] = queriesOf(server.pid ?? 0);
    server.stdin?.end();
    // A query may take 30 seconds, and this test fails long before.
    expect(await server.ended).toBe(0);
    expect(() => process.kill(query, 0)).toThrow();
    expect(messages.length).toBe(2);
  }, 10_000);

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
        child.stdin.write(${JSON.stringify(call(2, "session_store_sql", { sql: ENDLESS }))});
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
