/** Sessions of different kinds: made by the real Codex CLI, or written as its releases have written them. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { compose } from "../../src/sources/codex/demo/compose.ts";
import { CODE_MODEL, type Codex, type CodexHome, logText } from "./codex.ts";
import { type Step, scripted } from "./scripted-model.ts";

export interface Case {
  readonly name: string;
  /** It is resumed with the same one: another would have it compacted first. */
  readonly model?: string;
  /** Makes the session, and says its id. */
  make(codex: Codex, home: CodexHome): Promise<string>;
}

const run = (cmd: string): Step["calls"] => [{ name: "exec_command", input: { cmd } }];
const PATCH = "*** Begin Patch\n*** Add File: hello.txt\n+Hello\n*** End Patch";
const RED_DOT =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

async function started(codex: Codex, home: CodexHome, prompt: string, options = {}): Promise<string> {
  const { session, output } = await codex.start(home, prompt, options);
  if (session === undefined) throw new Error(output);
  return session;
}

/** Runs until the call was made, and is then stopped. */
const whileSleeping = (home: CodexHome) => () => logText(home).includes('"name":"exec_command"');
const SLEEP = [{ name: "exec_command", input: { cmd: "sleep 30", yield_time_ms: 20_000 } }];

const WRITTEN = "0199a3b0-1111-7222-8333-444455556666";
const item = (payload: object, more = {}): object => ({
  timestamp: "2025-10-02T10:00:01.000Z",
  type: "response_item",
  payload,
  ...more,
});
const message = (payload: object): object => ({
  timestamp: "2025-10-02T10:00:01.000Z",
  type: "event_msg",
  payload,
});
const asked = (text: string): object[] => [
  item({ type: "message", role: "user", content: [{ type: "input_text", text }] }),
  message({ type: "user_message", message: text, kind: "plain" }),
];
const said = (text: string): object[] => [
  message({ type: "agent_message", message: text }),
  item({ type: "message", role: "assistant", content: [{ type: "output_text", text }] }),
];
const called = (id: string, output: unknown): object[] => [
  item({ type: "function_call", name: "shell", arguments: '{"command":["bash","-lc","ls"]}', call_id: id }),
  item({ type: "function_call_output", call_id: id, output }),
];

function write(home: CodexHome, lines: readonly (object | string)[]): string {
  const meta = {
    timestamp: "2025-10-02T10:00:00.000Z",
    type: "session_meta",
    payload: {
      ...{ id: WRITTEN, timestamp: "2025-10-02T10:00:00.000Z", cwd: home.workspace },
      ...{ originator: "codex_cli_rs", cli_version: "0.42.0", instructions: null },
    },
  };
  const path = join(home.root, `sessions/2025/10/02/rollout-2025-10-02T10-00-00-${WRITTEN}.jsonl`);
  mkdirSync(dirname(path), { recursive: true });
  const texts = [meta, ...lines].map((line) => (typeof line === "string" ? line : JSON.stringify(line)));
  writeFileSync(path, `${texts.join("\n")}\n`);
  return WRITTEN;
}

const LINES = Array.from({ length: 9_000 }, (_, index) => `line ${index} of a long output`).join("\n");

export const CASES: readonly Case[] = [
  {
    name: "commands, a patch, and a thought, in two turns with instructions",
    async make(codex, home) {
      writeFileSync(join(home.workspace, "AGENTS.md"), "Use tabs.\n");
      const prompt = scripted(
        "Look around.",
        {
          think: "First the folder.",
          say: "Looking.",
          calls: [...(run("ls") ?? []), ...(run("exit 3") ?? [])],
        },
        { calls: [{ name: "apply_patch", input: PATCH }] },
        { say: "Done." },
      );
      const id = await started(codex, home, prompt);
      await codex.resume(home, id, "And then?");
      return id;
    },
  },
  {
    name: "code that calls tools",
    model: CODE_MODEL,
    make: (codex, home) =>
      started(
        codex,
        home,
        scripted(
          "Count the files.",
          {
            think: "By code.",
            calls: [{ name: "exec", input: 'text(await tools.exec_command({cmd: "ls"}))' }],
          },
          { say: "None." },
        ),
        { model: CODE_MODEL },
      ),
  },
  {
    name: "killed while a command ran",
    make: (codex, home) =>
      started(codex, home, scripted("Wait.", { say: "Waiting.", calls: SLEEP }), {
        stopWhen: whileSleeping(home),
      }),
  },
  {
    name: "interrupted while a command ran",
    make: (codex, home) =>
      started(codex, home, scripted("Wait.", { say: "Waiting.", calls: SLEEP }), {
        stopWhen: whileSleeping(home),
        signal: "SIGINT",
      }),
  },
  {
    name: "a model that failed",
    make: (codex, home) => started(codex, home, scripted("Try.", { status: 400 })),
  },
  {
    name: "pictures in a prompt and from a tool",
    make(codex, home) {
      writeFileSync(join(home.workspace, "dot.png"), Buffer.from(RED_DOT, "base64"));
      const look = scripted(
        "What is it?",
        { calls: [{ name: "view_image", input: { path: "dot.png" } }] },
        { say: "A dot." },
      );
      return started(codex, home, look, { args: ["-i", "dot.png"] });
    },
  },
  {
    name: "compacted when there was too much",
    async make(codex, home) {
      const id = await started(
        codex,
        home,
        scripted("Look.", { say: "Seen.", usage: { input: 9_000, output: 90 } }),
      );
      await codex.resume(home, id, "Go on.", { args: ["-c", "model_auto_compact_token_limit=5000"] });
      if (!logText(home).includes('"type":"compacted"')) throw new Error("it was not compacted");
      return id;
    },
  },
  {
    name: "a fork, which goes on from the log of another session",
    async make(codex, home) {
      const id = await started(
        codex,
        home,
        scripted("Look.", { calls: run("ls") ?? [] }, { say: "Nothing." }),
      );
      const { session = "" } = await codex.fork(home, id, "Another way?");
      await codex.resume(home, id, "Not in the fork.");
      return session;
    },
  },
  {
    name: "a story of the demo, with a compaction",
    async make(_, home) {
      const [log] = compose({
        id: "a story",
        title: "A story",
        workspace: home.workspace,
        repository: "acme/shop",
        branch: "main",
        createdAt: "2026-11-01T10:00:00.000Z",
        model: "gpt-5.5",
        turns: [
          {
            at: "2026-11-01T10:00:00.000Z",
            user: "Why is it slow?",
            steps: [
              { kind: "think", text: "Measure first." },
              {
                kind: "tool",
                tool: { does: "run", command: "npm test", why: "" },
                ok: false,
                output: "1 failed",
              },
              {
                kind: "tool",
                tool: { does: "edit", path: "a.ts", before: "one", after: "two" },
                ok: true,
                output: "",
              },
              { kind: "say", text: "Fixed." },
            ],
            compaction: { title: "Speed", overview: "The loop was slow." },
          },
          { at: "2026-11-01T11:00:00.000Z", user: "Thanks.", steps: [{ kind: "say", text: "Welcome." }] },
        ],
      });
      const path = join(home.root, log?.path ?? "");
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, String(log?.content));
      return /([0-9a-f-]{36})\.jsonl$/.exec(path)?.[1] ?? "";
    },
  },
  {
    name: "long outputs, which are shortened in the middle",
    make: async (_, home) =>
      write(home, [
        ...asked("Read it."),
        ...called("call_a", LINES),
        ...called("call_b", [
          { type: "input_text", text: `é${LINES}` },
          { type: "input_text", text: "end" },
        ]),
        ...said("Read."),
      ]),
  },
  {
    name: "turns that an older release took back",
    make: async (_, home) =>
      write(home, [
        ...asked("One"),
        ...said("First."),
        ...asked("Two"),
        ...said("Second."),
        ...asked("Three"),
        ...said("Third."),
        message({ type: "thread_rolled_back", num_turns: 2 }),
        ...asked("Four"),
        ...said("Fourth."),
      ]),
  },
  {
    name: "a compaction of an older release, with nothing but a summary",
    make: async (_, home) =>
      write(home, [
        item({
          type: "message",
          role: "user",
          content: [{ type: "input_text", text: "<user_instructions>\n\nUse tabs.\n\n</user_instructions>" }],
        }),
        ...asked("One"),
        ...called("call_a", "x"),
        ...said("First."),
        { timestamp: "2025-10-02T10:00:02.000Z", type: "compacted", payload: { message: "The summary." } },
        ...asked("Two"),
        ...said("Second."),
      ]),
  },
  {
    name: "calls without results, results without calls, and what the service did by itself",
    make: async (_, home) =>
      write(home, [
        ...asked("One"),
        item({ type: "custom_tool_call", call_id: "call_a", name: "apply_patch", input: PATCH }),
        item({ type: "function_call", call_id: "call_b", name: "shell", arguments: "not JSON" }),
        item({ type: "function_call_output", call_id: "call_c", output: "lost" }),
        item({
          type: "web_search_call",
          id: "ws_1",
          status: "completed",
          action: { type: "search", query: "tabs" },
        }),
        item({
          type: "local_shell_call",
          call_id: "call_d",
          status: "completed",
          action: { type: "exec", command: ["ls"] },
        }),
        item({ type: "function_call_output", call_id: "call_d", output: "x" }),
        item({ type: "message", role: "system", content: [{ type: "input_text", text: "not sent" }] }),
        ...said("Done."),
      ]),
  },
  {
    name: "damaged lines, unknown records, and a torn end",
    make: async (_, home) =>
      write(home, [
        ...asked("One"),
        '{"timestamp":"2025-10-02T10:00:01.000Z","type":"response_item","payl',
        "\0\0\0\0\0\0",
        { timestamp: "2025-10-02T10:00:01.000Z", type: "from_the_future", payload: { type: "x" } },
        item({ type: "from_the_future", value: 1 }),
        item({ type: "message", role: "user", content: "not a list" }),
        ...said("Done."),
        '{"timestamp":"2025-10-02T10:00:09.000Z","type":"response_item","payload":{"type":"mess',
      ]),
  },
];
