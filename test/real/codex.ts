/** Drives the real Codex CLI offline: starts sessions, resumes and forks them, and says what the model was sent. */
import { type ChildProcess, spawn } from "node:child_process";
import { globSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { isResponses, responses, type WireItem } from "./responses.ts";
import { type ScriptedModel, startModel } from "./scripted-model.ts";

/** The npm package is a shell; the program is in the package of this platform. */
function findProgram(): string {
  const name = `@openai/codex-${process.platform}-${process.arch}/package.json`;
  const folder = dirname(createRequire(import.meta.url).resolve(name));
  const [program] = globSync("vendor/*/bin/codex{,.exe}", { cwd: folder });
  if (program === undefined) throw new Error(`no program in ${folder}`);
  return join(folder, program);
}

export interface CodexHome {
  /** CODEX_HOME: the root that our source scans. */
  readonly root: string;
  readonly workspace: string;
  remove(): void;
}

export function createHome(): CodexHome {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "rethread-codex-")));
  const home: CodexHome = {
    root: join(base, ".codex"),
    workspace: join(base, "shop"),
    remove: () => rmSync(base, { recursive: true, force: true, maxRetries: 3 }),
  };
  mkdirSync(home.root);
  mkdirSync(home.workspace);
  return home;
}

/** The model that takes calls one by one; newer ones write code that calls tools. */
export const PLAIN_MODEL = "gpt-5.5";
export const CODE_MODEL = "gpt-6.1-sol";

export interface Run {
  readonly code: number | null;
  /** What it was called on or made. */
  readonly session: string | undefined;
  readonly output: string;
  /** The conversations that were sent to the model meanwhile. */
  readonly requests: readonly (readonly WireItem[])[];
}

export interface RunOptions {
  readonly model?: string;
  readonly args?: readonly string[];
  /** Ends the program by this signal once it holds; it is asked twenty times a second. */
  readonly stopWhen?: () => boolean;
  readonly signal?: NodeJS.Signals;
}

export interface Codex {
  start(home: CodexHome, prompt: string, options?: RunOptions): Promise<Run>;
  resume(home: CodexHome, id: string, prompt: string, options?: RunOptions): Promise<Run>;
  fork(home: CodexHome, id: string, prompt: string, options?: RunOptions): Promise<Run>;
  /** Any other command, such as `archive`. */
  run(home: CodexHome, ...words: string[]): Promise<Run>;
  close(): void;
}

export function openCodex(): Codex {
  const program = findProgram();
  const running = new Set<ChildProcess>();
  const run = async (home: CodexHome, words: readonly string[], options: RunOptions = {}): Promise<Run> => {
    const model = await startModel(responses);
    try {
      writeFileSync(join(home.root, "config.toml"), settings(model));
      const child = spawn(program, words, {
        cwd: home.workspace,
        env: offline(home),
        stdio: ["ignore", "pipe", "pipe"],
      });
      running.add(child);
      const ended = await output(child, options);
      running.delete(child);
      const session = /"thread_id":"([^"]+)"/.exec(ended.output)?.[1];
      const requests = model.requests.filter(isResponses).map(({ body }) => body.input as WireItem[]);
      return { ...ended, session, requests };
    } finally {
      await model.close();
    }
  };
  const exec = (home: CodexHome, words: readonly string[], options: RunOptions = {}): Promise<Run> => {
    const how = [
      "--json",
      "--skip-git-repo-check",
      "-m",
      options.model ?? PLAIN_MODEL,
      ...(options.args ?? []),
    ];
    return run(home, ["exec", ...words, ...how], options);
  };
  return {
    start: (home, prompt, options) => exec(home, [prompt], options),
    resume: (home, id, prompt, options) => exec(home, ["resume", id, prompt], options),
    fork: (home, id, prompt, options) => exec(home, ["fork", id, prompt], options),
    run: (home, ...words) => run(home, words),
    close() {
      for (const child of running) child.kill("SIGKILL");
    },
  };
}

/** A provider on loopback that needs no account, and nothing that asks the network by itself. */
const settings = ({ url }: ScriptedModel): string => `
model_provider = "scripted"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false
[model_providers.scripted]
name = "scripted"
base_url = "${url}/v1"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
[analytics]
enabled = false
[features]
plugins = false
apps = false
unbounded_connection_retries = false
daemon_auto_start = false
`;

/** Nothing of the developer's own home. */
function offline(home: CodexHome): NodeJS.ProcessEnv {
  const { PATH, SystemRoot, TEMP, TMP, TMPDIR } = process.env;
  const base = dirname(home.workspace);
  return {
    ...{ PATH, SystemRoot, TEMP, TMP, TMPDIR, HOME: base, USERPROFILE: base },
    ...{ CODEX_HOME: home.root, RUST_LOG: "off", TERM: "dumb", LANG: "C.UTF-8", TZ: "UTC" },
  };
}

function output(
  child: ChildProcess,
  { stopWhen, signal = "SIGKILL" }: RunOptions,
): Promise<Pick<Run, "code" | "output">> {
  return new Promise((resolve, reject) => {
    let text = "";
    const note = (piece: Buffer): void => {
      text += piece;
    };
    child.stdout?.on("data", note);
    child.stderr?.on("data", note);
    const watch = setInterval(() => {
      if (stopWhen?.() !== true) return;
      clearInterval(watch);
      child.kill(signal);
    }, 50);
    child.once("error", reject);
    child.once("close", (code) => {
      clearInterval(watch);
      resolve({ code, output: text });
    });
  });
}

/** The logs of a home, oldest first. */
export const logsOf = ({ root }: CodexHome): string[] =>
  globSync("{sessions/*/*/*,archived_sessions}/*.jsonl", { cwd: root })
    .map((path) => join(root, path))
    .sort();

export const logText = (home: CodexHome): string =>
  logsOf(home)
    .map((path) => readFileSync(path, "utf8"))
    .join("");
