/**
 * Claude Code's transcript, its rows laid out as 2.1.325 writes them: a shell's output stands in a row twice, for the
 * model and for people, and copies of system prompts stand between the rows.
 */
import { join } from "node:path";
import { createSizes, type Make, timeOf, uuid, writeLog } from "./log.ts";
import { createRandom } from "./text.ts";

const USAGE = {
  input_tokens: 900,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens: 40,
  server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 },
  service_tier: "standard",
  cache_creation: { ephemeral_1h_input_tokens: 0, ephemeral_5m_input_tokens: 0 },
};

export const makeClaude: Make = (texts, root, shape) => {
  const random = createRandom(shape.seed);
  const sessionId = uuid(random);
  const where = {
    userType: "external",
    entrypoint: "cli",
    cwd: "/srv/shop",
    sessionId,
    version: "2.1.325",
    gitBranch: "main",
  };
  let step = shape.seed * 10;
  // The service gives every answer an id of its own; the same one in two sessions makes them forks of each other.
  const own = sessionId.replaceAll("-", "").slice(0, 16);
  let parentUuid: string | null = null;
  return writeLog(join(root, "projects", "-srv-shop", `${sessionId}.jsonl`), (log) => {
    const { longLine, ...rest } = shape;
    const half = { ...rest, ...(longLine !== undefined && { longLine: longLine / 2 }) };
    const nextSize = createSizes(log, half, random);
    const put = (fields: object, behind: object = {}): void => {
      const id = uuid(random);
      const row = { parentUuid, isSidechain: false, ...fields, uuid: id, timestamp: timeOf(step++) };
      log.write({ ...row, ...behind, ...where });
      parentUuid = id;
    };
    const say = (content: unknown, behind: object = {}): void =>
      put({ promptId: sessionId, type: "user", message: { role: "user", content } }, behind);
    const reply = (id: string, content: object): void =>
      put({
        message: {
          id,
          type: "message",
          role: "assistant",
          model: "claude-sonnet-4-5",
          content: [content],
          stop_reason: "end_turn",
          stop_sequence: null,
          usage: USAGE,
        },
        apiBlockIndex: 0,
        requestId: `req_${id}`,
        requestedModel: "claude-sonnet-4-5",
        type: "assistant",
      });
    let turns = 0;
    do {
      const said = texts.prose(random, 40 + Math.floor(300 * random())).trim();
      const content = turns === 0 && shape.needle !== undefined ? `${said} ${shape.needle}` : said;
      say(content);
      const systemPrompt = [texts.prose(random, 12_000)];
      put({ attachment: { type: "prompt_snapshot", systemPrompt }, type: "attachment" });
      for (let call = 0; call < 4; call++) {
        const id = `toolu_${own}${turns}_${call}`;
        const command = `rg ${texts.prose(random, 12).trim()}`;
        reply(`msg_${own}${turns}_${call}`, { type: "tool_use", id, name: "Bash", input: { command } });
        const stdout = texts.output(random, nextSize());
        const result = { tool_use_id: id, type: "tool_result", content: stdout, is_error: false };
        say([result], { toolUseResult: { stdout, stderr: "", interrupted: false, isImage: false } });
      }
      reply(`msg_${own}${turns}_end`, { type: "text", text: texts.prose(random, 900) });
      turns++;
    } while (log.bytes < shape.bytes);
    return turns;
  });
};
