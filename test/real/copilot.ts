/** Drives the real Copilot CLI in a home of its own, offline, against the scripted model. */
import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openRpc, type Rpc } from "./copilot-rpc.ts";
import { isChat, messagesSent, openai, type SentMessage } from "./openai.ts";
import { type ModelRequest, type ScriptedModel, sleep, startModel } from "./scripted-model.ts";

export interface Run {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Resumed extends Run {
  /** What the model received before the new prompt; undefined when the program refused the session. */
  messages: SentMessage[] | undefined;
  /** The last message that it received, such as what a tool gave back. */
  last?: SentMessage | undefined;
}

export interface RunOptions {
  /** Kills the program (SIGKILL) as soon as this holds. */
  killWhen?: () => boolean;
  /** Tools run without asking unless this is false. */
  allowTools?: boolean;
}

export interface ResumeOptions {
  /** Where the session is, if not in the program's own home. */
  home?: string;
  /** Whether the command line does it, and not a server that is already running; else one session in twenty. */
  byCommand?: boolean;
  /** The new prompt; then the session goes on in its own folder. */
  prompt?: string;
}

export interface Copilot {
  /** The COPILOT_HOME, and the folder the program works in. */
  readonly home: string;
  readonly workspace: string;
  readonly model: ScriptedModel;
  /** In which the program finds all of that. */
  readonly env: NodeJS.ProcessEnv;
  /** The log of a session. */
  log(id: string): string;
  /** Makes a session of a log written by hand. */
  write(id: string, log: string | Uint8Array): void;
  run(args: readonly string[], options?: RunOptions): Promise<Run>;
  /** Says something in a session, new or old. */
  prompt(id: string, text: string, options?: RunOptions): Promise<Run>;
  /** Resumes a copy of the session, or one in a copy of a whole other home, so that judging it does not change it. */
  resume(id: string, how?: ResumeOptions): Promise<Resumed>;
  /** The program as a server, which can do what its command line cannot: fork, rewind, compact, attach. */
  headless(): Promise<Headless>;
  close(): Promise<void>;
}

export interface Headless extends Rpc {
  /** `more` is told to the program as it is, such as another folder to work in. */
  create(id: string, more?: object): Promise<void>;
  /** Opens a session that is there; rejects with the program's reason when it refuses. */
  resume(id: string): Promise<void>;
  /** Says something and waits until the answer is complete. */
  say(id: string, prompt: string, more?: object): Promise<void>;
}

const MODEL = "scripted";
const PROBE = "What do you know?";
const TIMEOUT = 60_000;
/** One session in so many is resumed by the command line, the others by one server; with RETHREAD_FULL=1 all are. */
export const BY_COMMAND = process.env.RETHREAD_FULL === undefined ? 20 : 1;

export async function startCopilot(): Promise<Copilot> {
  const folder = mkdtempSync(join(tmpdir(), "rethread-copilot-"));
  const home = join(folder, "home");
  const workspace = join(folder, "work");
  for (const path of [home, workspace]) mkdirSync(path, { recursive: true });
  const model = await startModel(openai);
  const state = (id: string, root = home): string => join(root, "session-state", id);
  let server: Promise<Rpc> | undefined;
  let resumed = 0;

  const copilot: Copilot = {
    home,
    workspace,
    model,
    env: offline(home, model.url),
    log: (id) => join(state(id), "events.jsonl"),
    write(id, log) {
      mkdirSync(state(id), { recursive: true });
      writeFileSync(copilot.log(id), log);
    },
    run: (args, options) => run(args, { cwd: workspace, env: offline(home, model.url) }, options),
    prompt: (id, text, options) =>
      copilot.run(
        [
          "--session-id",
          id,
          "-p",
          text,
          "-s",
          ...(options?.allowTools === false ? [] : ["--allow-all-tools"]),
        ],
        options,
      ),
    async resume(id, { home: from = home, prompt, ...how } = {}) {
      const { byCommand = ++resumed % BY_COMMAND === BY_COMMAND >> 1 } = how;
      // The command line starts anew for each session, which takes ten times as long; every 20th shows that it agrees.
      if (from === home && !byCommand) {
        judge ??= openJudge();
        const judged = await (await judge).resume(
          id,
          state(id),
          prompt === undefined ? { workspace } : { prompt },
        );
        if (judged) return judged;
      }
      const copy = mkdtempSync(join(folder, "copy-"));
      if (from === home) cpSync(state(id), state(id, copy), { recursive: true });
      else cpSync(from, copy, { recursive: true });
      // Its own model, so that sessions can be judged side by side.
      const listener = await startModel(openai);
      const args = ["--resume", id, "-p", prompt ?? PROBE, "-s", "--allow-all-tools"];
      const result = await run(args, { cwd: workspace, env: offline(copy, listener.url) });
      const requests = listener.requests.filter(isChat);
      await listener.close();
      rmSync(copy, { recursive: true, force: true });
      return { ...result, ...told(requests) };
    },
    async headless() {
      server ??= openRpc(programPath(), { cwd: workspace, env: offline(home, model.url) });
      const rpc = await server;
      const opened = new Set<string>();
      // The environment alone is not enough here: the server wants to be told where its model is.
      const provider = { model: MODEL, provider: { type: "openai", baseUrl: `${model.url}/v1` } };
      return {
        ...rpc,
        async create(sessionId, more = {}) {
          opened.add(sessionId);
          await rpc.call("session.create", { sessionId, workingDirectory: workspace, ...provider, ...more });
          await rpc.call("session.permissions.setApproveAll", { sessionId, enabled: true });
        },
        async resume(sessionId) {
          opened.add(sessionId);
          await rpc.call("session.resume", { sessionId, ...provider });
        },
        async say(sessionId, prompt, more = {}) {
          const idle = rpc.event(sessionId, "session.idle");
          await rpc.call("session.send", { sessionId, prompt, ...more });
          await idle;
        },
        async close() {
          for (const sessionId of opened)
            await rpc.call("session.destroy", { sessionId }).catch(() => undefined);
        },
      };
    },
    async close() {
      await (await server)?.close();
      await model.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return copilot;
}

interface Judge {
  /** Resumes a copy of the session in this folder; undefined for one that only the command line takes. */
  resume(
    id: string,
    folder: string,
    how: { workspace?: string; prompt?: string },
  ): Promise<Resumed | undefined>;
}

/** Of all requests since a session was resumed: what came before the new prompt, and the end. */
function told(requests: readonly ModelRequest[]): Pick<Resumed, "messages" | "last"> {
  const [first, last] = [requests[0], requests.at(-1)];
  return {
    messages: first && messagesSent(first).slice(0, -1),
    last: last && messagesSent(last).at(-1),
  };
}

/** For all tests of this process, with which it ends. */
let judge: Promise<Judge> | undefined;

/** The program as a server that resumes session after session, and sends its model what the command line would. */
async function openJudge(): Promise<Judge> {
  const home = mkdtempSync(join(tmpdir(), "rethread-judge-"));
  const model = await startModel(openai);
  const rpc = await openRpc(programPath(), { cwd: tmpdir(), env: offline(home, model.url) });
  let number = 0;
  return {
    async resume(sessionId, from, { workspace, prompt = PROBE }) {
      const copy = join(home, "session-state", sessionId);
      cpSync(from, copy, { recursive: true });
      // Each session has an address of its own, so that the requests can be told apart.
      const address = `/${++number}/`;
      const provider = { type: "openai", baseUrl: `${model.url}${address}v1` };
      try {
        const folder = workspace !== undefined && { workingDirectory: workspace };
        await rpc.call("session.resume", { sessionId, ...folder, model: MODEL, provider });
        await rpc.call("session.permissions.setApproveAll", { sessionId, enabled: true });
        const idle = rpc.event(sessionId, "session.idle");
        await rpc.call("session.send", { sessionId, prompt });
        await idle;
        const requests = model.requests.filter((one) => isChat(one) && one.path.startsWith(address));
        return { code: 0, stdout: "", stderr: "", ...told(requests) };
      } catch (error) {
        const why = String(error);
        if (why.includes("belongs to a different session")) return undefined;
        return { code: 1, stdout: "", stderr: why, messages: undefined };
      } finally {
        await rpc.call("session.destroy", { sessionId }).catch(() => undefined);
        rmSync(copy, { recursive: true, force: true });
      }
    },
  };
}

/** The native program of the platform package that npm chose, found as the vendor's own loader finds it. */
export function programPath(): string {
  const vendor = createRequire(createRequire(import.meta.url).resolve("@github/copilot/package.json"));
  const kinds = process.platform === "linux" ? ["linux", "linuxmusl"] : [process.platform];
  for (const kind of kinds) {
    try {
      return vendor.resolve(`@github/copilot-${kind}-${process.arch}`);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "MODULE_NOT_FOUND") throw error;
    }
  }
  throw new Error("The real Copilot CLI is not installed; run: node test/real/install.ts");
}

/** The caller's environment without anything that could lead the program to a real home, account or network. */
function offline(home: string, modelUrl: string): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(COPILOT_|GH_|GITHUB_)/.test(name));
  return {
    ...Object.fromEntries(inherited),
    // It unpacks itself once (about 240 MB): beside its package, not into the cache of whoever runs the tests.
    XDG_CACHE_HOME: join(import.meta.dirname, "node_modules", ".cache"),
    COPILOT_HOME: home,
    COPILOT_OFFLINE: "true",
    COPILOT_PROVIDER_BASE_URL: `${modelUrl}/v1`,
    COPILOT_MODEL: MODEL,
    COPILOT_AUTO_UPDATE: "false",
    // It is started more than a hundred times.
    NODE_COMPILE_CACHE: join(tmpdir(), "copilot-compiled"),
  };
}

async function run(
  args: readonly string[],
  where: { cwd: string; env: NodeJS.ProcessEnv },
  { killWhen }: RunOptions = {},
): Promise<Run> {
  const child = spawn(programPath(), args, { ...where, stdio: ["ignore", "pipe", "pipe"] });
  const result: Run = { code: null, stdout: "", stderr: "" };
  child.stdout.on("data", (text) => {
    result.stdout += text;
  });
  child.stderr.on("data", (text) => {
    result.stderr += text;
  });
  const timer = setTimeout(() => child.kill("SIGKILL"), TIMEOUT);
  const closed = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  if (killWhen) await killAsSoonAs(killWhen, child, closed);
  result.code = await closed;
  clearTimeout(timer);
  return result;
}

async function killAsSoonAs(
  met: () => boolean,
  child: ChildProcess,
  closed: Promise<unknown>,
): Promise<void> {
  let ended = false;
  void closed.then(() => {
    ended = true;
  });
  while (!ended && !met()) await sleep(25);
  child.kill("SIGKILL");
}

/** A `killWhen`: the log holds this text. */
export const logHolds = (path: string, text: string) => (): boolean =>
  existsSync(path) && readFileSync(path, "utf8").includes(text);
