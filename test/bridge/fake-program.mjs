#!/usr/bin/env node
import { randomUUID } from "node:crypto";
/** Behaves as Copilot CLI does toward whoever starts it; what it is to do stands in the message. */
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const words = process.argv.slice(2);
const option = (name) => words.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3);
const has = (name) => words.includes(`--${name}`);
/** An older version knows neither ids nor records. */
const isOld = process.env.FAKE_OLD === "1";
const home = process.env.COPILOT_HOME;

if (has("version")) {
  appendFileSync(join(home, "asked"), "version\n");
  console.log(isOld ? "0.0.330" : "GitHub Copilot CLI 1.0.102.");
  process.exit(0);
}
if (has("help")) {
  console.log(
    isOld ? "--resume [id] --continue" : "--resume --continue --session-id --output-format --stream",
  );
  process.exit(0);
}

const logOf = (id) => join(home, "session-state", id, "events.jsonl");
const resumed = option("resume");
if (resumed !== undefined && !existsSync(logOf(resumed))) {
  console.error(`Error: No session, task, or name matched '${resumed}'.`);
  process.exit(1);
}
if (process.env.FAKE_LOGGED_OUT === "1") {
  console.error("Error: No authentication information found.");
  process.exit(1);
}
const last = join(home, "last");
const id = resumed ?? option("session-id") ?? (has("continue") ? readFileSync(last, "utf8") : randomUUID());
const prompt = option("prompt") ?? readFileSync(0, "utf8");
const log = (type, data) =>
  appendFileSync(
    logOf(id),
    `${JSON.stringify({ type, data, id: randomUUID(), timestamp: new Date().toISOString(), parentId: null })}\n`,
  );
const tell = (type, data) => {
  if (!isOld)
    console.log(
      JSON.stringify({ type, data, id: randomUUID(), timestamp: new Date().toISOString(), parentId: null }),
    );
};
const said = () =>
  readFileSync(logOf(id), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
    .filter(({ type }) => type === "user.message")
    .map(({ data }) => data.content);
const wait = (ms) => new Promise((done) => setTimeout(done, ms));

const waited = join(home, "waited");
if (prompt.includes("never written") && !existsSync(waited)) {
  writeFileSync(waited, "");
  await wait(60_000);
}
const begin = (session) => {
  mkdirSync(join(home, "session-state", session), { recursive: true });
  writeFileSync(
    join(home, "session-state", session, "workspace.yaml"),
    `id: ${session}\ncwd: ${process.cwd()}\ncreated_at: ${new Date().toISOString()}\n`,
  );
};
if (prompt.includes("with a rival")) {
  const rival = randomUUID();
  begin(rival);
  appendFileSync(logOf(rival), "{}\n");
}
if (!existsSync(logOf(id))) {
  begin(id);
  log("session.start", {
    sessionId: id,
    version: 1,
    producer: "copilot-agent",
    copilotVersion: "1.0.102",
    startTime: new Date().toISOString(),
  });
}
writeFileSync(last, id);
log("user.message", { content: prompt });
if (prompt.includes("please fail")) {
  tell("session.error", { message: "the model is away" });
  process.exit(1);
}
/** What it prints instead of an answer, before it ends as if all were well. */
const INSTEAD = {
  "please be silent": [],
  "please garble": ["%%% no answer\u001b[2J", '{"type":', "[1]"],
  "please misshape": [
    '{"type":"result"}',
    '{"type":"result","sessionId":7,"exitCode":"0"}',
    '{"type":{"toString":1},"data":[]}',
    '{"type":"assistant.message","data":{"content":{"toString":1}}}',
    '{"type":"constructor"}',
    "null",
  ],
  "please halve": [
    '{"type":"assistant.message","data":{"messageId":"m","content":"Half"}}',
    '{"type":"result","sessionId":"',
  ],
  "please stray": [
    '{"type":"assistant.message","data":{"messageId":"m","content":"Elsewhere"}}',
    '{"type":"result","sessionId":"00000000-0000-4000-8000-00000000dead","exitCode":0}',
  ],
  "please end badly": [`{"type":"result","sessionId":"${id}","exitCode":3}`],
  "please repeat": [
    '{"type":"assistant.message","data":{"messageId":"m","content":"Once"}}',
    `{"type":"result","sessionId":"${id}","exitCode":0,"usage":{"premiumRequests":1}}`,
    '{"type":"result","sessionId":"00000000-0000-4000-8000-00000000dead","exitCode":9,"usage":{"premiumRequests":1}}',
  ],
  "please climb": [
    '{"type":"assistant.message","data":{"messageId":"m","content":"Up"}}',
    '{"type":"result","sessionId":"../../../../etc","exitCode":0}',
  ],
};
for (const [asked, lines] of Object.entries(INSTEAD))
  if (prompt.endsWith(asked)) {
    process.stdout.write(lines.join("\n"));
    process.exit(0);
  }
tell("assistant.message_delta", { messageId: "m1", deltaContent: "Heard " });
if (prompt.includes("please wait")) await wait(60_000);
if (prompt.includes("please die")) process.kill(process.pid, "SIGKILL");
if (prompt.includes("please babble")) console.log('no JSON\n{"type":\n[1]\n{"type":"of tomorrow"}\n\n\u0000');
if (prompt.includes("please flood"))
  for (let piece = 0; piece < 300; piece++)
    tell("tool.execution_partial_result", { toolCallId: "c", partialOutput: "x".repeat(100_000) });
const answer = `Heard ${said().length}: ${said().join(" | ")}`;
tell("assistant.message_delta", { messageId: "m1", deltaContent: answer.slice("Heard ".length) });
tell("tool.execution_start", { toolCallId: "c", toolName: "bash", arguments: { command: "ls" } });
tell("tool.execution_complete", { toolCallId: "c", success: true });
log("assistant.message", { messageId: randomUUID(), content: answer });
log("session.usage_record", { usage: { inputTokens: 100 * said().length, outputTokens: 20, duration: 5 } });
if (isOld) console.log(answer);
else
  console.log(JSON.stringify({ type: "result", sessionId: id, exitCode: 0, usage: { premiumRequests: 1 } }));
