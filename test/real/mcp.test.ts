/**
 * The real programs start our MCP server from the settings that `mcp install` wrote, offer its tools to their model, and
 * give the answers back to it. One run each.
 */
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { fromJsonSchema } from "@modelcontextprotocol/server";
import { expect, it } from "vitest";
import { builtCommand } from "../built.ts";
import { CITATION } from "../mcp/test-mcp.ts";
import { anthropic, blocksOf, isModelCall, type WireMessage } from "./anthropic.ts";
import { createHome, findProgram, offline } from "./claude.ts";
import { startCopilot } from "./copilot.ts";
import { isChat, messagesSent } from "./openai.ts";
import { type ScriptedModel, type Step, scripted, startModel } from "./scripted-model.ts";

const OLD = "11111111-1111-4111-8111-111111111111";
const NEW = "22222222-2222-4222-8222-222222222222";
const FACT = "The limiter closes the socket of the sixth login";
const KEY = `ghp_${"q7Rt2Yx9".repeat(5)}`;

/** A session of Copilot CLI from last month, written by hand. */
function oldLog(): string {
  let at = 0;
  const event = (type: string, data: object): string =>
    `${JSON.stringify({ type, data, id: `e${at}`, timestamp: `2026-10-01T10:00:0${at++}.000Z`, parentId: null })}\n`;
  return [
    event("session.start", {
      sessionId: OLD,
      version: 1,
      producer: "copilot-agent",
      copilotVersion: "1.0.102",
      startTime: "2026-10-01T10:00:00.000Z",
    }),
    event("user.message", { content: `Why is the login flaky? The key is ${KEY}`, attachments: [] }),
    event("assistant.message", { messageId: "m1", model: "x", content: `${FACT}.`, toolRequests: [] }),
  ].join("");
}

/** What the model is told to do: ask two tools side by side, then a third, then answer. */
const script = (named: (tool: string) => string, ...before: Step[]): string =>
  scripted(
    "Have I seen this before?",
    ...before,
    {
      calls: [
        { name: named("search"), input: { query: "limiter closes socket" } },
        { name: named("sessions"), input: { budget: 500 } },
      ],
    },
    { calls: [{ name: named("read"), input: { session: `copilot-cli:${OLD}`, budget: 9 } }] },
    { calls: [{ name: named("brief"), input: { session: `copilot-cli:${OLD}` } }] },
    { say: "You have." },
  );

const TOOLS = ["search", "read", "where", "sessions", "brief", "context", "session_store_sql"];

function install(agent: string, env: NodeJS.ProcessEnv, folder: string): void {
  const ran = spawnSync(process.execPath, [builtCommand(), "mcp", "install", agent, "--yes"], {
    cwd: folder,
    env,
    encoding: "utf8",
  });
  expect([ran.status, ran.stderr]).toEqual([0, ""]);
}

function expectAnswers([search = "", sessions = "", refused = "", brief = ""]: readonly string[]): void {
  expect(search).toContain(`copilot-cli:${OLD} turn 0, 2026-10-01T10:00:01Z`);
  expect(search).toContain(FACT);
  expect(search).toMatch(/\[history \d{18}\]/);
  expect(sessions).toMatch(CITATION);
  expect(refused).toMatch(/Error \(usage\).*budget/);
  expect(brief).toContain("## Goal");
  for (const text of [search, sessions, brief]) expect(text).not.toContain(KEY);
}

it("Copilot CLI asks, and its model receives the answers", async () => {
  const copilot = await startCopilot();
  const data = join(copilot.home, "..", "data");
  const env = { ...copilot.env, HOME: data, RETHREAD_HOME: data };
  copilot.write(OLD, oldLog());
  install("copilot-cli", env, copilot.workspace);
  const { code, stderr } = await copilot.prompt(
    NEW,
    script((tool) => `rethread-${tool}`),
  );
  expect([code, stderr]).toEqual([0, ""]);
  const requests = copilot.model.requests.filter(isChat);
  const tools: { function: { name: string } }[] = requests[0]?.body.tools ?? [];
  const offered = tools.map(({ function: { name } }) => name);
  expect(offered).toEqual(expect.arrayContaining(TOOLS.map((tool) => `rethread-${tool}`)));
  const last = requests.at(-1);
  expectAnswers(
    (last ? messagesSent(last) : []).flatMap(({ role, text }) => (role === "tool" ? [text] : [])),
  );
  await copilot.close();
});

it("Claude Code asks, and its model receives the answers", async () => {
  const home = createHome();
  const copilotHome = join(dirname(home.workspace), "copilot");
  mkdirSync(join(copilotHome, "session-state", OLD), { recursive: true });
  writeFileSync(join(copilotHome, "session-state", OLD, "events.jsonl"), oldLog());
  const model = await startModel(anthropic);
  const env = {
    ...offline(home, model),
    COPILOT_HOME: copilotHome,
    RETHREAD_HOME: join(dirname(home.workspace), "data"),
  };
  install("claude-code", env, home.workspace);
  // The places that the server needs are in its settings, not in the environment of the program.
  const { code, stderr } = await runClaude(
    home.workspace,
    // On a busy machine it would ask its model before its servers are there.
    { ...offline(home, model), CLAUDE_CODE_MCP_STARTUP_WAIT_MS: "30000" },
    // It tells its model the names alone, until the model asks for the tools.
    script(claudeName, {
      calls: [
        {
          name: "ToolSearch",
          input: { query: `select:${TOOLS.map(claudeName).join(",")}`, max_results: 20 },
        },
      ],
    }),
  );
  expect([code, stderr]).toEqual([0, ""]);
  const requests = asked(model);
  const offered = (requests[1]?.tools ?? []).map(({ name }) => name);
  expect(offered).toEqual(expect.arrayContaining(TOOLS.map(claudeName)));
  // Of tools that run side by side, the first to end comes first.
  const blocks = (requests.at(-1)?.messages ?? []).flatMap(blocksOf);
  const results = new Map(
    blocks.flatMap((block) =>
      block.type === "tool_result" ? [[block.tool_use_id, resultText(block.content)]] : [],
    ),
  );
  const calls = blocks.flatMap((block) => (block.type === "tool_use" ? [results.get(block.id) ?? ""] : []));
  expectAnswers(calls.slice(1));
  await model.close();
  home.remove();
});

it("VS Code's own parser and schema accept its settings", async () => {
  const home = createHome();
  const user = join(dirname(home.workspace), ".config", "Code", "User");
  mkdirSync(user, { recursive: true });
  const file = join(user, "mcp.json");
  writeFileSync(file, '{\n\t// mine\n\t"servers": {\n\t\t"other": { "command": "x" }, // keep\n\t},\n}\n');
  const data = join(dirname(home.workspace), "data");
  install(
    "vscode",
    { HOME: dirname(home.workspace), PATH: process.env.PATH, RETHREAD_HOME: data },
    dirname(data),
  );
  const [{ parse }, { mcpStdioServerSchema }] = await Promise.all([
    fromVsCode("base/common/json.js"),
    fromVsCode("workbench/contrib/mcp/common/mcpConfiguration.js"),
  ]);
  const wrong: unknown[] = [];
  const settings = parse(readFileSync(file, "utf8"), wrong, { allowTrailingComma: true });
  expect(wrong).toEqual([]);
  expect(settings.servers).toMatchObject({ other: { command: "x" }, rethread: { type: "stdio" } });
  const { validate } = fromJsonSchema(mcpStdioServerSchema)["~standard"];
  const { rethread } = settings.servers;
  expect(await validate(rethread)).toHaveProperty("value");
  expect(await validate({ ...rethread, nonsense: 1 })).toHaveProperty("issues");
  home.remove();
});

// biome-ignore lint/suspicious/noExplicitAny: the package is plain JavaScript without types for these modules
const fromVsCode = (path: string): Promise<any> =>
  import(
    /* @vite-ignore */ pathToFileURL(
      join(import.meta.dirname, "node_modules/@codingame/monaco-vscode-api/vscode/src/vs", path),
    ).href
  );

const claudeName = (tool: string): string => `mcp__rethread__${tool}`;

const asked = (model: ScriptedModel) =>
  model.requests
    .filter(isModelCall)
    .map(({ body }) => body as { tools?: { name: string }[]; messages: WireMessage[] })
    .filter(({ messages }) => JSON.stringify(messages[0]).includes("Have I seen this before?"));

const resultText = (content: unknown): string =>
  typeof content === "string"
    ? content
    : (content as { text?: string }[]).map(({ text = "" }) => text).join("");

function runClaude(
  cwd: string,
  env: NodeJS.ProcessEnv,
  prompt: string,
): Promise<{ code: number | null; stderr: string }> {
  return new Promise((resolve, reject) => {
    const words = ["-p", prompt, "--session-id", NEW, "--dangerously-skip-permissions"];
    const child = spawn(findProgram(), words, { cwd, env, stdio: ["ignore", "ignore", "pipe"] });
    let stderr = "";
    child.stderr.on("data", (piece) => {
      stderr += piece;
    });
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, stderr }));
  });
}
