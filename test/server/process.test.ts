/** The server as a process: its line, its record, a second one beside it, and how it ends. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { builtCommand } from "../built.ts";
import { childrenOf } from "./children.ts";
import { send, signIn } from "./test-server.ts";

interface Line {
  readonly schemaVersion: number;
  readonly url: string;
  readonly port: number;
  readonly token: string;
  readonly pid: number;
}
interface Running {
  readonly child: ChildProcess;
  readonly line: Line;
  /** With the exit code, or the signal that ended it. */
  readonly ended: Promise<number | string | null>;
}

let folder: string;
let children: ChildProcess[];
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "rethread-serve-")));
  mkdirSync(join(folder, ".copilot/session-state/one"), { recursive: true });
  const line = {
    type: "user.message",
    data: { content: "hello" },
    id: "a",
    timestamp: "2026-11-01T09:00:00.000Z",
  };
  writeFileSync(join(folder, ".copilot/session-state/one/events.jsonl"), `${JSON.stringify(line)}\n`);
  children = [];
});
afterEach(async () => {
  for (const child of children) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

const start = (words: readonly string[], vars: Record<string, string> = {}): ChildProcess => {
  const child = spawn(process.execPath, [builtCommand(), "serve", ...words], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      RETHREAD_HOME: join(folder, "data"),
      TMPDIR: tmpdir(),
      ...vars,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.push(child);
  return child;
};

const endOf = (child: ChildProcess): Promise<number | string | null> =>
  new Promise((resolve) => child.once("close", (code, signal) => resolve(code ?? signal)));

/** Everything it prints until it ends. */
async function run(
  ...words: string[]
): Promise<{ code: number | string | null; stdout: string; stderr: string }> {
  const child = start(words);
  let stdout = "";
  let stderr = "";
  child.stdout?.on("data", (piece) => (stdout += piece));
  child.stderr?.on("data", (piece) => (stderr += piece));
  return { code: await endOf(child), stdout, stderr };
}

async function serve(...words: string[]): Promise<Running> {
  const child = start(["--no-open", "--json", ...words]);
  const ended = endOf(child);
  const text = await new Promise<string>((resolve, reject) => {
    let all = "";
    child.stdout?.on("data", (piece) => {
      all += piece;
      if (all.includes("\n")) resolve(all);
    });
    child.stderr?.on("data", (piece) => (all += piece));
    void ended.then((code) => reject(new Error(`it ended with ${code}: ${all}`)));
  });
  expect(text.trim().split("\n")).toHaveLength(1);
  return { child, ended, line: JSON.parse(text) };
}

const health = async (port: number): Promise<number> =>
  (await send(port, "/api/health", { headers: { host: `127.0.0.1:${port}` } })).status;

const records = (): string[] => globSync(join(folder, "data/server/*.json"));

it("prints one line, serves this machine, and leaves nothing when it is stopped", async () => {
  const { child, line, ended } = await serve();
  expect(line).toEqual({
    schemaVersion: 1,
    url: expect.stringMatching(new RegExp(`^http://127\\.0\\.0\\.1:${line.port}/\\?code=[\\w-]{40,}$`)),
    port: expect.any(Number),
    token: expect.stringMatching(/^[\w-]{40,}$/),
    pid: child.pid,
  });
  const headers = { host: `127.0.0.1:${line.port}`, authorization: `Bearer ${line.token}` };
  const { text } = await send(line.port, "/api/sessions", { headers });
  expect(JSON.parse(text).sessions).toMatchObject([{ id: "one" }]);
  child.kill("SIGTERM");
  expect(await ended).toBe(0);
  expect(records()).toEqual([]);
});

it("keeps the token out of the process list, and its files to its owner", async () => {
  const { line } = await serve();
  for (const pid of [line.pid, ...childrenOf(line.pid)]) {
    expect(readFileSync(`/proc/${pid}/cmdline`, "utf8")).not.toContain(line.token);
    expect(readFileSync(`/proc/${pid}/environ`, "utf8")).not.toContain(line.token);
  }
  const [record = ""] = records();
  expect(readFileSync(record, "utf8")).toContain(line.token);
  for (const path of globSync(join(folder, "data/**/*"))) {
    const { mode } = statSync(path);
    if (!statSync(path).isFile() || !readFileSync(path).includes(line.token)) continue;
    expect([path, (mode & 0o777).toString(8)]).toEqual([record, "600"]);
  }
  expect((statSync(join(folder, "data/server")).mode & 0o777).toString(8)).toBe("700");
  expect((statSync(join(folder, "data/server/cookie-key")).mode & 0o777).toString(8)).toBe("600");
});

describe("a second one", () => {
  it("prints the line of the first with a code of its own, and ends", async () => {
    const first = await serve();
    const { code, stdout } = await run("--no-open", "--json");
    const second: Line = JSON.parse(stdout);
    expect({ code, second }).toEqual({ code: 0, second: { ...first.line, url: expect.any(String) } });
    expect(second.url).not.toBe(first.line.url);
    expect(await signIn(second)).toContain(`rethread-${first.line.port}=`);
    expect(await signIn(first.line)).toContain(`rethread-${first.line.port}=`);
  });

  it("starts where the first was killed, whoever has its port and its number now", async () => {
    const first = await serve();
    first.child.kill("SIGKILL");
    await first.ended;
    const [record = ""] = records();
    const kept = JSON.parse(readFileSync(record, "utf8"));
    writeFileSync(record, JSON.stringify({ ...kept, pid: process.pid }));
    const second = await serve();
    expect(second.line.pid).toBe(second.child.pid);
    expect(second.line.token).not.toBe(first.line.token);
  });

  it("leaves a server alone that reads only, or other homes", async () => {
    const first = await serve();
    const readOnly = await serve("--read-only");
    expect(readOnly.line.port).not.toBe(first.line.port);
    expect(await health(first.line.port)).toBe(200);
  });

  it("comes from two that start at once: one serves, and both name it", async () => {
    const lines = await Promise.all([serve(), serve()]);
    expect(new Set(lines.map(({ line }) => line.pid)).size).toBe(1);
  });
});

it("keeps pages signed in when it is started again on the same port", async () => {
  const first = await serve();
  const cookie = await signIn(first.line);
  first.child.kill("SIGTERM");
  await first.ended;
  const second = await serve("--port", String(first.line.port));
  const headers = { host: `127.0.0.1:${second.line.port}`, cookie };
  expect((await send(second.line.port, "/api/overview", { headers })).status).toBe(200);
});

describe("its address", () => {
  it.each(["0.0.0.0", "192.168.1.1", "::", "example.com"])("is not %s without TLS", async (host) => {
    const { code, stdout } = await run("--no-open", "--json", "--host", host);
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 2, error: { code: "usage" } });
    expect(existsSync(join(folder, "data/server"))).toBe(false);
  });

  it("is served further with TLS, under the names of the certificate, and found again", async (test) => {
    const words =
      "req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 2 -subj /CN=box -addext subjectAltName=DNS:box.example,IP:127.0.0.1";
    if (spawnSync("openssl", words.split(" "), { cwd: folder }).status !== 0) return test.skip();
    const tls = ["--host", "0.0.0.0", "--tls-cert", "cert.pem", "--tls-key", "key.pem"];
    const { line } = await serve(...tls);
    expect(line.url).toMatch(/^https:\/\/box\.example:\d+\/\?code=/);
    const ask = (name: string): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const ca = readFileSync(join(folder, "cert.pem"));
        const headers = { host: `${name}:${line.port}` };
        const path = { host: "127.0.0.1", port: line.port, path: "/api/health", agent: false };
        request({ ...path, ca, headers, checkServerIdentity: () => undefined }, (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        })
          .on("error", reject)
          .end();
      });
    expect([await ask("box.example"), await ask("127.0.0.1"), await ask("other.example")]).toEqual([
      200, 200, 403,
    ]);
    const second = await run("--no-open", "--json", ...tls);
    expect(JSON.parse(second.stdout)).toMatchObject({ pid: line.pid, token: line.token });
  });

  it("needs both files, and a port that there is", async () => {
    for (const words of [
      ["--tls-cert", "x"],
      ["--tls-cert", "x", "--tls-key", "y"],
      ["--port", "70000"],
    ])
      expect(await run("--no-open", "--json", ...words)).toMatchObject({ code: 2 });
  });

  it("is not taken from another program", async () => {
    const { line } = await serve();
    const { code, stdout } = await run("--no-open", "--json", "--read-only", "--port", String(line.port));
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 6, error: { code: "port-taken" } });
  });
});

it("ends streams when it is stopped, and ends at once when told twice", async () => {
  const { child, line, ended } = await serve();
  const response = await fetch(`http://127.0.0.1:${line.port}/api/events`, {
    headers: { authorization: `Bearer ${line.token}` },
  });
  const reader = response.body?.getReader();
  await reader?.read();
  child.kill("SIGINT");
  for (let done = false; !done; ) done = (await reader?.read())?.done ?? true;
  expect(await ended).toBe(0);
});
