/** Claude Code's transcript as 2.1 writes it: `type` in the middle of a row, copies of system prompts between. */
import { join } from "node:path";
import { createSizes, type Make, timeOf, uuid, writeLog } from "./log.ts";
import { createRandom } from "./text.ts";

export const makeClaude: Make = (texts, root, shape) => {
  const random = createRandom(shape.seed);
  const sessionId = uuid(random);
  let step = shape.seed * 10;
  let parentUuid: string | null = null;
  return writeLog(join(root, "projects", "-srv-shop", `${sessionId}.jsonl`), (log) => {
    const nextSize = createSizes(log, shape, random);
    const put = (type: string, fields: object): void => {
      const id = uuid(random);
      const row = { parentUuid, isSidechain: false, type, ...fields, uuid: id, timestamp: timeOf(step++) };
      log.write({ ...row, cwd: "/srv/shop", sessionId, version: "2.1.325", gitBranch: "main" });
      parentUuid = id;
    };
    const reply = (id: string, content: object): void =>
      put("assistant", {
        message: {
          id,
          role: "assistant",
          model: "claude-sonnet-4-5",
          content: [content],
          usage: { input_tokens: 900, output_tokens: 40 },
        },
      });
    let turns = 0;
    do {
      const said = texts.prose(random, 40 + Math.floor(300 * random())).trim();
      const content = turns === 0 && shape.needle !== undefined ? `${said} ${shape.needle}` : said;
      put("user", { message: { role: "user", content } });
      put("attachment", {
        attachment: { type: "prompt_snapshot", systemPrompt: [texts.prose(random, 12_000)] },
      });
      for (let call = 0; call < 4; call++) {
        const id = `toolu_${turns}_${call}`;
        const command = `rg ${texts.prose(random, 12).trim()}`;
        reply(`msg_${turns}_${call}`, { type: "tool_use", id, name: "Bash", input: { command } });
        const result = { type: "tool_result", tool_use_id: id, content: texts.output(random, nextSize()) };
        put("user", { message: { role: "user", content: [result] } });
      }
      reply(`msg_${turns}_end`, { type: "text", text: texts.prose(random, 900) });
      turns++;
    } while (log.bytes < shape.bytes);
    return turns;
  });
};
