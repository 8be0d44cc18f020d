/**
 * Copilot CLI's log as 1.0.102 writes it: the fields in its order, bulky ones that nobody reads included. Every session
 * has a name and a record for each model call, and one in four has records with a problem, as in real homes.
 */
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSizes, type Make, timeOf, uuid, writeLog } from "./log.ts";
import { createRandom, type Texts } from "./text.ts";

export const makeCopilot: Make = (texts, root, shape) => {
  const random = createRandom(shape.seed);
  const sessionId = uuid(random);
  let step = shape.seed * 10;
  let parentId: string | null = null;
  const folder = join(root, "session-state", sessionId);
  writeSidecars(folder, sessionId, timeOf(step), nameOf(texts, random, shape.seed));
  const made = writeLog(join(folder, "events.jsonl"), (log) => {
    const nextSize = createSizes(log, shape, random);
    const put = (type: string, data: object): void => {
      const id = uuid(random);
      log.write({ type, data, id, timestamp: timeOf(step++), parentId });
      parentId = id;
    };
    put("session.start", {
      sessionId,
      version: 1,
      producer: "copilot-agent",
      copilotVersion: "1.0.102",
      startTime: timeOf(step),
      context: { cwd: `/srv/${texts.words[shape.seed % 50]}`, repository: "shop/web", branch: "main" },
    });
    const recordUsage = (): void =>
      put("session.usage_record", {
        usage: {
          model: "gpt-5.4",
          inputTokens: Math.floor(90_000 * random()),
          outputTokens: Math.floor(2000 * random()),
          cacheReadTokens: Math.floor(60_000 * random()),
          cacheWriteTokens: 0,
          reasoningTokens: 120,
          duration: 2400,
          timeToFirstTokenMs: 410,
          initiator: "agent",
          apiEndpoint: "/responses",
          finishReason: "tool_calls",
          accounting: { sourceSessionId: sessionId },
        },
      });
    // Valid JSON, which the yardstick parses as well, but without the message that its type requires.
    if (shape.seed % PROBLEMS_EVERY === 0)
      for (let count = 1 + (shape.seed % 3); count > 0; count--)
        put("session.warning", { warningType: "other" });
    let turns = 0;
    do {
      const interactionId = uuid(random);
      const content = texts.prose(random, 40 + Math.floor(300 * random())).trim();
      const said = turns === 0 && shape.needle !== undefined ? `${content} ${shape.needle}` : content;
      if (turns === 0) put("system.message", { role: "system", content: texts.prose(random, 18_000) });
      put("user.message", {
        content: said,
        transformedContent: `<current_datetime>${timeOf(step)}</current_datetime>\n\n${said}\n\n<system_reminder>${texts.prose(random, 600)}</system_reminder>`,
        attachments: [],
        interactionId,
      });
      const rounds = 1 + Math.floor(random() * 9);
      for (let round = 0; round < rounds; round++) {
        const turnId = String(round);
        const toolCallId = `call_${turns}_${round}`;
        const [toolName, input] =
          random() < 0.6
            ? ["bash", { command: `rg -n ${texts.prose(random, 18).trim()} src`, description: "Look" }]
            : ["view", { path: `/srv/shop/src/${texts.words[Math.floor(random() * 500)]}.ts` }];
        put("assistant.turn_start", { turnId, interactionId });
        put("assistant.message", {
          messageId: uuid(random),
          model: "gpt-5.4",
          content: round % 3 === 0 ? texts.prose(random, 150) : "",
          toolRequests: [{ toolCallId, name: toolName, arguments: input, type: "function" }],
          interactionId,
          turnId,
          reasoningOpaque: texts.output(random, 1200).replaceAll(/\W/g, "x"),
          outputTokens: 180,
        });
        put("tool.execution_start", { toolCallId, toolName, arguments: input, model: "gpt-5.4", turnId });
        const output = texts.output(random, nextSize());
        put("tool.execution_complete", {
          toolCallId,
          model: "gpt-5.4",
          interactionId,
          turnId,
          rte: false,
          ...(toolName === "bash" && { shellExecution: { exitCode: 0 } }),
          success: true,
          result: {
            content: output,
            ...(toolName === "view" && { detailedContent: output.slice(0, 40_000) }),
          },
          toolTelemetry: {
            properties: { command: toolName, options: "{}" },
            metrics: { resultLength: output.length },
          },
        });
        recordUsage();
        put("assistant.turn_end", { turnId });
      }
      put("assistant.message", {
        messageId: uuid(random),
        model: "gpt-5.4",
        content: texts.prose(random, 200 + Math.floor(1200 * random())),
        toolRequests: [],
        interactionId,
      });
      recordUsage();
      turns++;
    } while (log.bytes < shape.bytes);
    return turns;
  });
  age(folder, shape.seed);
  return made;
};

/** Spread over two years, as sessions are: who has thousands has not written all of them today. */
function age(folder: string, seed: number): void {
  const days = 730 * (((seed * 7919) % 10_007) / 10_007);
  const time = Date.now() / 1000 - 3600 - 86_400 * days;
  for (const name of readdirSync(folder, { recursive: true }))
    utimesSync(join(folder, String(name)), time, time);
  utimesSync(folder, time, time);
}

/** Records with a problem stand in every so many-th session. */
const PROBLEMS_EVERY = 4;

/**
 * The first prompt, as a YAML library writes it: of twenty, seven are plain ASCII, the others have quotes or letters and
 * signs that a simple reader does not expect.
 */
function nameOf(texts: Texts, random: () => number, seed: number): string {
  const words = texts.prose(random, 50).replaceAll(/\W+/g, " ").trim();
  const kind = seed % 20;
  if (kind < 7) return words;
  if (kind < 11) return `'Fix: ${words} don''t #${seed}'`;
  if (kind < 15) return `"${words}: \\"quoted\\" it's C:\\\\src"`;
  if (kind < 18) return `Prüfe ${words} – größer [${seed}]`;
  return `\`${words}\` & {more}`.replace(/^/, "Look at ");
}

/** What lies beside every log; whoever looks for changes has to pass it. */
function writeSidecars(folder: string, id: string, time: string, name: string): void {
  for (const part of ["checkpoints", "files", "research"]) mkdirSync(join(folder, part), { recursive: true });
  writeFileSync(join(folder, "checkpoints", "index.md"), "# Checkpoint History\n");
  writeFileSync(
    join(folder, "workspace.yaml"),
    `id: ${id}\ncwd: /srv/shop\ngit_root: /srv/shop\nrepository: shop/web\nhost_type: github\nbranch: main\nclient_name: github/cli\nname: ${name}\nuser_named: false\nsummary_count: 0\ncreated_at: ${time}\nupdated_at: ${time}\n`,
  );
}
