/** Drives the real Claude Code offline: starts sessions, resumes them, and says what the model was sent. */
import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { folderName } from "../../src/sources/claude-code/locate.ts";
import { anthropic, isModelCall, type WireMessage } from "./anthropic.ts";
import { OLDER_MODEL } from "./claude-models.ts";
import { historyOf, remindersIn, type SentMessage, toSent } from "./claude-wire.ts";
import { remembered } from "./remembered-runs.ts";
import { type ScriptedModel, startModel } from "./scripted-model.ts";

/** What decides how the program is started and answered. */
const DRIVERS = ["claude.ts", "anthropic.ts", "scripted-model.ts"].map((name) =>
  join(import.meta.dirname, name),
);

/** The npm package is a shell; the program is in the package of this platform, unpacked without install scripts. */
export function findProgram(): string {
  const report = process.report.getReport() as { header?: { glibcVersionRuntime?: string } };
  const musl = process.platform === "linux" && report.header?.glibcVersionRuntime === undefined;
  const platform = `${process.platform}-${process.arch}${musl ? "-musl" : ""}`;
  const manifest = createRequire(import.meta.url).resolve(
    `@anthropic-ai/claude-code-${platform}/package.json`,
  );
  return join(dirname(manifest), process.platform === "win32" ? "claude.exe" : "claude");
}

export interface ClaudeHome {
  /** CLAUDE_CONFIG_DIR: the root that our source scans. */
  readonly root: string;
  readonly workspace: string;
  remove(): void;
}

export function createHome(): ClaudeHome {
  // Claude Code resolves links before it names a folder after the workspace, so the test does too.
  const base = realpathSync(mkdtempSync(join(tmpdir(), "rethread-claude-")));
  const home: ClaudeHome = {
    root: join(base, "config"),
    workspace: join(base, "shop"),
    remove: () => rmSync(base, { recursive: true, force: true, maxRetries: 3 }),
  };
  mkdirSync(home.root);
  mkdirSync(home.workspace);
  return home;
}

export const transcriptOf = (home: ClaudeHome, id: string): string =>
  join(home.root, "projects", folderName(home.workspace), `${id}.jsonl`);

export interface ModelCall {
  readonly path: string;
  readonly body: { readonly model: string; readonly messages: readonly WireMessage[] };
}

export interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The model calls made meanwhile. */
  readonly requests: readonly ModelCall[];
}

export interface RunOptions {
  readonly model?: string;
  /** More arguments for the program. */
  readonly args?: readonly string[];
  /** More variables for it. */
  readonly env?: Readonly<Record<string, string>>;
  /** Ends the program at once, as a crash would, as soon as this holds; it is asked ten times a second. */
  readonly killWhen?: () => boolean;
}

export interface Claude {
  /** A new session with this id; the answers are scripted in the prompt. */
  startSession(home: ClaudeHome, id: string, prompt: string, options?: RunOptions): Promise<Run>;
  resume(home: ClaudeHome, id: string, prompt: string, options?: RunOptions): Promise<Run>;
  /** The newest session of the folder. */
  continueLast(home: ClaudeHome, prompt: string, options?: RunOptions): Promise<Run>;
  /** Resumes a copy of the home, and says which messages of the history the model received: as sent, or in our shape. */
  historySent(home: ClaudeHome, id: string): Promise<WireMessage[]>;
  messagesSent(home: ClaudeHome, id: string): Promise<SentMessage[]>;
  close(): Promise<void>;
}

const NEXT_PROMPT = "And now the next step, please.";

/** Each program run gets a model of its own, so that runs side by side cannot mix up their requests. */
export function openClaude(): Claude {
  const program = findProgram();
  const running = new Set<ChildProcess>();

  const start = async (
    home: ClaudeHome,
    words: readonly string[],
    { killWhen, env }: RunOptions,
  ): Promise<Run> => {
    const model = await startModel(anthropic);
    try {
      const child = spawn(program, words, {
        cwd: home.workspace,
        env: { ...offline(home, model), ...env },
        stdio: ["ignore", "pipe", "pipe"],
      });
      running.add(child);
      const ended = await output(child, killWhen);
      running.delete(child);
      // The instructions and tools that come with every request are the program's own business.
      const requests = model.requests.filter(isModelCall).map(({ path, body }) => ({
        path,
        body: { model: body.model, messages: body.messages as WireMessage[] },
      }));
      return { ...ended, requests };
    } finally {
      await model.close();
    }
  };
  const run = (home: ClaudeHome, args: readonly string[], options: RunOptions = {}): Promise<Run> => {
    const words = [...args, "--dangerously-skip-permissions", ...(options.args ?? [])];
    if (options.model !== undefined) words.push("--model", options.model);
    return remembered({
      about: ["Claude Code", words, options.killWhen !== undefined, home.workspace, options.env],
      places: { config: home.root, base: dirname(home.workspace) },
      drivers: DRIVERS,
      ask: () => start(home, words, options),
    });
  };

  const claude: Claude = {
    startSession: (home, id, prompt, options) =>
      run(home, ["-p", prompt, "--session-id", id], { model: OLDER_MODEL, ...options }),
    resume: (home, id, prompt, options) => run(home, ["-p", prompt, "--resume", id], options),
    continueLast: (home, prompt, options) => run(home, ["-p", prompt, "--continue"], options),
    messagesSent: async (home, id) => (await claude.historySent(home, id)).flatMap(toSent),
    async historySent(home, id) {
      const copy: ClaudeHome = { ...home, root: mkdtempSync(join(tmpdir(), "rethread-claude-copy-")) };
      try {
        cpSync(home.root, copy.root, { recursive: true, preserveTimestamps: true });
        const before = readFileSync(transcriptOf(copy, id)).length;
        const { requests, stderr, stdout } = await claude.resume(copy, id, NEXT_PROMPT);
        const sent = requests[0]?.body.messages;
        if (!sent) throw new Error(`Claude Code sent nothing: ${stderr}${stdout}`);
        const announced = remindersIn(readFileSync(transcriptOf(copy, id)).subarray(before).toString("utf8"));
        return historyOf(sent, NEXT_PROMPT, announced);
      } finally {
        rmSync(copy.root, { recursive: true, force: true, maxRetries: 3 });
      }
    },
    async close() {
      for (const child of running) child.kill("SIGKILL");
    },
  };
  return claude;
}

/** No network but the scripted model, no account, and nothing of the developer's own home. */
export function offline(home: ClaudeHome, model: ScriptedModel): NodeJS.ProcessEnv {
  const { PATH, SystemRoot, TEMP, TMP, TMPDIR } = process.env;
  return {
    PATH,
    SystemRoot,
    TEMP,
    TMP,
    TMPDIR,
    HOME: dirname(home.workspace),
    USERPROFILE: dirname(home.workspace),
    TERM: "dumb",
    LANG: "C.UTF-8",
    CLAUDE_CONFIG_DIR: home.root,
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: "sk-ant-not-a-key",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_TELEMETRY: "1",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_ERROR_REPORTING: "1",
    // Lets it skip permission prompts when the tests run as root, as they do in containers.
    IS_SANDBOX: "1",
  };
}

function output(
  child: ChildProcess,
  killWhen: (() => boolean) | undefined,
): Promise<Pick<Run, "code" | "stdout" | "stderr">> {
  return new Promise((resolve, reject) => {
    let stdout = "";
    let stderr = "";
    child.stdout?.on("data", (piece) => {
      stdout += piece;
    });
    child.stderr?.on("data", (piece) => {
      stderr += piece;
    });
    const watch = setInterval(() => {
      if (killWhen?.()) child.kill("SIGKILL");
    }, 100);
    child.once("error", reject);
    child.once("close", (code) => {
      clearInterval(watch);
      resolve({ code, stdout, stderr });
    });
  });
}
