#!/usr/bin/env node
import { randomUUID } from "node:crypto";
/** Behaves as Claude Code does toward whoever starts it; what it is to do stands in the message. */
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const words = process.argv.slice(2);
const option = (name) => words.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3);
const has = (name) => words.includes(`--${name}`);
/** An older version knows neither ids nor pieces of messages. */
const isOld = process.env.FAKE_OLD === "1";
const projects = join(process.env.CLAUDE_CONFIG_DIR, "projects");

if (has("version")) {
  console.log(isOld ? "0.2.9 (Claude Code)" : "2.1.325 (Claude Code)");
  process.exit(0);
}
if (has("help")) {
  console.log(
    isOld
      ? '--resume --continue --output-format "stream-json"'
      : '--resume --continue --session-id --output-format "stream-json" --include-partial-messages',
  );
  process.exit(0);
}

const own = join(projects, process.cwd().replace(/[^A-Za-z0-9]/g, "-"));
const findLog = (id) =>
  (existsSync(projects) ? readdirSync(projects) : [])
    .map((folder) => join(projects, folder, `${id}.jsonl`))
    .find((path) => existsSync(path));
const said = () =>
  readFileSync(log, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
const tell = (record) => console.log(JSON.stringify({ ...record, session_id: id, uuid: randomUUID() }));
const fail = (code, ...records) => {
  for (const record of records) tell(record);
  process.exit(code);
};

const resumed = option("resume");
const id = resumed ?? option("session-id") ?? randomUUID();
const found = findLog(id);
if (resumed !== undefined && (!found || !readFileSync(found, "utf8").includes('"type":"user"'))) {
  console.error(`No conversation found with session ID: ${resumed}`);
  fail(1, {
    type: "result",
    subtype: "error_during_execution",
    is_error: true,
    errors: ["No conversation found"],
  });
}
if (option("session-id") !== undefined && found) {
  console.error(`Error: Session ID ${id} is already in use.`);
  process.exit(1);
}
mkdirSync(own, { recursive: true });
const log = found ?? join(own, `${id}.jsonl`);
const prompt = readFileSync(0, "utf8");
let parent = existsSync(log) ? (said().findLast(({ uuid }) => uuid !== undefined)?.uuid ?? null) : null;
const write = (row) => {
  const uuid = randomUUID();
  const timestamp = new Date().toISOString();
  const common = { parentUuid: parent, isSidechain: false, uuid, timestamp, cwd: process.cwd() };
  appendFileSync(log, `${JSON.stringify({ ...common, sessionId: id, entrypoint: "sdk-cli", ...row })}\n`);
  parent = uuid;
};
appendFileSync(
  log,
  `${JSON.stringify({ type: "queue-operation", operation: "enqueue", content: prompt })}\n`,
);
if (prompt.includes("never written")) await new Promise((done) => setTimeout(done, 60_000));
write({ type: "user", message: { role: "user", content: prompt } });
tell({ type: "system", subtype: "init", tools: [] });
const synthetic = (text, error) => {
  const message = {
    id: randomUUID(),
    role: "assistant",
    model: "<synthetic>",
    content: [{ type: "text", text }],
  };
  fail(
    1,
    { type: "assistant", message, parent_tool_use_id: null, error, is_api_error_message: true },
    { type: "result", subtype: "success", is_error: true, result: text },
  );
};
if (process.env.FAKE_LOGGED_OUT === "1")
  synthetic("Not logged in · Please run /login", "authentication_failed");
if (prompt.includes("please fail")) synthetic("API Error: 529 overloaded", "unknown");
const piece = (event) => {
  if (has("include-partial-messages")) tell({ type: "stream_event", event, parent_tool_use_id: null });
};
const messageId = randomUUID();
piece({ type: "message_start", message: { id: messageId } });
const delta = (text) => piece({ type: "content_block_delta", delta: { type: "text_delta", text } });
const prompts = said().flatMap(({ type, message }) => (type === "user" ? [message.content] : []));
const answer = `Heard ${prompts.length}: ${prompts.join(" | ")}`;
delta("Heard ");
if (prompt.includes("please wait")) await new Promise((done) => setTimeout(done, 60_000));
delta(answer.slice("Heard ".length));
const body = (block) => ({ id: messageId, role: "assistant", model: "claude-x", content: [block] });
const text = body({ type: "text", text: answer });
tell({ type: "assistant", message: text, parent_tool_use_id: null });
write({ type: "assistant", message: text });
const before = said().findLast(({ type }) => type === "cost-state") ?? {
  totalCostUSD: 0,
  totalAPIDuration: 0,
};
const totals = { totalCostUSD: before.totalCostUSD + 0.25, totalAPIDuration: before.totalAPIDuration + 5 };
appendFileSync(log, `${JSON.stringify({ type: "cost-state", sessionId: id, ...totals })}\n`);
tell({
  ...{ type: "result", subtype: "success", is_error: false, result: answer },
  ...{ total_cost_usd: totals.totalCostUSD, duration_api_ms: totals.totalAPIDuration },
  usage: { input_tokens: 10, cache_read_input_tokens: 90 * prompts.length, output_tokens: 20 },
});
