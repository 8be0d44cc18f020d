/** `rethread serve` as a process of its own, on homes that a test made. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { builtServer } from "../../built.ts";

const root = resolve(import.meta.dirname, "../../..");

export interface Served {
  /** Opens the app in a browser that has not been here before; works once. */
  readonly url: string;
  readonly origin: string;
  readonly token: string;
  readonly pid: number;
  /** Another address that works once, for another browser. */
  entrance(): Promise<string>;
  /** What it printed besides. */
  printed(): string;
  /** As programs ask; throws for an answer that is no success. */
  api<T>(path: string, init?: { method?: string; body?: unknown }): Promise<T>;
  /** Resolves when the process is gone. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

export interface Place {
  /** Of rethread itself. */
  readonly data: string;
  readonly vars: Readonly<Record<string, string>>;
}

/** A new, empty place in which no agent keeps anything. */
export function emptyPlace(): Place & { remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), "rethread-web-"));
  const data = join(folder, "data");
  const vars = {
    HOME: folder,
    COPILOT_HOME: join(folder, "copilot"),
    CLAUDE_CONFIG_DIR: join(folder, "claude"),
    VSCODE_STORAGE_PATH: join(folder, "vscode", "User", "workspaceStorage"),
    RETHREAD_HOME: data,
  };
  for (const path of Object.values(vars)) mkdirSync(path, { recursive: true });
  return { data, vars, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

export async function serve(place: Place, words: readonly string[] = [], port = 0): Promise<Served> {
  const child = spawn(
    process.execPath,
    [builtServer(), "serve", "--no-open", "--json", "--port", String(port), ...words],
    {
      cwd: root,
      env: { PATH: process.env.PATH, TMPDIR: tmpdir(), NO_COLOR: "1", ...place.vars },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  let out = "";
  let err = "";
  child.stderr.on("data", (text) => (err += text));
  const ended = new Promise<void>((settle) => child.once("close", () => settle()));
  const line = await new Promise<string>((settle, reject) => {
    child.stdout.on("data", (text) => {
      out += text;
      if (out.includes("\n")) settle(out.slice(0, out.indexOf("\n")));
    });
    child.once("close", (code) => reject(new Error(`serve ended with ${code}: ${out}${err}`)));
    child.once("error", reject);
  });
  const { url, token, pid } = JSON.parse(line) as { url: string; token: string; pid: number };
  const origin = new URL(url).origin;
  const served: Served = {
    url,
    origin,
    token,
    pid,
    printed: () => out.slice(line.length) + err,
    async entrance() {
      const { code } = await served.api<{ code: string }>("/api/codes", { method: "POST" });
      return `${origin}/?code=${code}`;
    },
    async api(path, { method = "GET", body } = {}) {
      const answer = await fetch(`${origin}${path}`, {
        method,
        headers: {
          Authorization: `Bearer ${token}`,
          ...(body !== undefined && { "Content-Type": "application/json" }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
      return (await answer.json()) as never;
    },
    stop: (signal = "SIGTERM") => stop(child, ended, signal),
  };
  return served;
}

async function stop(child: ChildProcess, ended: Promise<void>, signal: NodeJS.Signals): Promise<void> {
  child.kill(signal);
  await ended;
}
