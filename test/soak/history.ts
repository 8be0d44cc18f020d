/** Made-up sessions for load: from a seed the same bytes each time, so that nobody has to keep what was sent. */
import { timeOf, uuid } from "../../bench/corpus/log.ts";
import { createRandom, createTexts, type Texts } from "../../bench/corpus/text.ts";

export interface History {
  /** The agent's own id. */
  readonly id: string;
  /** Of its log, below the source's root. */
  readonly path: string;
  readonly repository: string;
  readonly turns: number;
  /** What each push adds to the log, in whole lines. */
  readonly parts: readonly Buffer[];
}

export const SOURCE = "copilot-cli";
export const REPOSITORIES = 40;
/** One session of so many says a word that only it says. */
export const NEEDLE_EVERY = 100;
const MODELS = ["gpt-5.4", "gpt-5.4-mini", "claude-sonnet-5"];
/** One behind the other, over a quarter of a year. */
const SECONDS_APART = 80;
/** The share of sessions that are pushed while they grow, in three parts. */
const GROWING = 0.25;

type Random = () => number;

let pools: Texts | undefined;
export const texts = (): Texts => {
  pools ??= createTexts(1);
  return pools;
};

const stepOf = (seed: number): number => (seed % 100_000) * SECONDS_APART;
/** When a session begins. */
export const startOf = (seed: number): string => timeOf(stepOf(seed));

export const needleOf = (seed: number): string => `qzneedle${seed}`;
export const repositoryOf = (number: number): string => `acme/repo-${number}`;

/** `turns` on average: most sessions have fewer, few have six times as many. */
export function makeHistory(seed: number, turns: number): History {
  const random = createRandom(seed + 1);
  // The first numbers of neighbouring seeds are alike.
  for (let at = 0; at < 8; at++) random();
  const id = uuid(random);
  const repository = repositoryOf(Math.floor(random() ** 2 * REPOSITORIES));
  const count = Math.max(1, Math.round(turns * (0.25 + 6 * random() ** 7)));
  const log = createLog(random, seed);
  log.add("session.start", {
    ...{
      sessionId: id,
      version: 1,
      producer: "copilot-agent",
      copilotVersion: "1.0.102",
      startTime: log.time(),
    },
    context: { cwd: `/srv/${repository}`, repository, branch: random() < 0.7 ? "main" : "topic" },
  });
  // Most sessions are over when they are pushed.
  const cuts = new Set(random() < GROWING ? [Math.ceil(count / 3), Math.ceil((2 * count) / 3)] : []);
  for (let turn = 0; turn < count; turn++) {
    if (cuts.has(turn)) log.cut();
    addTurn(log, random, turn, turn === 0 && seed % NEEDLE_EVERY === 0 ? ` ${needleOf(seed)}` : "");
  }
  log.cut();
  return { id, path: `session-state/${id}/events.jsonl`, repository, turns: count, parts: log.parts };
}

interface Log {
  readonly parts: Buffer[];
  add(type: string, data: object): void;
  time(): string;
  /** Here a push ends. */
  cut(): void;
}

function createLog(random: Random, seed: number): Log {
  const parts: Buffer[] = [];
  let lines: string[] = [];
  let parentId: string | null = null;
  let step = stepOf(seed);
  return {
    parts,
    time: () => timeOf(step),
    add(type, data) {
      const id = uuid(random);
      lines.push(`${JSON.stringify({ type, data, id, timestamp: timeOf(step++), parentId })}\n`);
      parentId = id;
    },
    cut() {
      if (lines.length > 0) parts.push(Buffer.from(lines.join("")));
      lines = [];
    },
  };
}

/** About four kilobytes: a question, some tools and their short results, an answer. */
function addTurn(log: Log, random: Random, turn: number, needle: string): void {
  const { prose, output, words } = texts();
  const model = MODELS[Math.floor(random() ** 2 * MODELS.length)];
  const content = `${prose(random, 40 + Math.floor(260 * random())).trim()}${needle}`;
  log.add("user.message", {
    content,
    transformedContent: `<current_datetime>${log.time()}</current_datetime>\n\n${content}`,
    attachments: [],
  });
  const rounds = 1 + Math.floor(random() * 3);
  for (let round = 0; round < rounds; round++) {
    const toolCallId = `call_${turn}_${round}`;
    const file = `/srv/shop/src/${words[Math.floor(random() ** 2 * 3000)]}.ts`;
    const kind = random();
    const [toolName, args] =
      kind < 0.5
        ? ["bash", { command: `rg -n ${prose(random, 18).trim()} src`, description: "Look" }]
        : kind < 0.8
          ? ["view", { path: file }]
          : ["edit", { path: file, old_str: prose(random, 40), new_str: prose(random, 60) }];
    const usage = { model, inputTokens: 9000 + Math.floor(random() * 20_000), outputTokens: 180 };
    log.add("session.usage_record", { usage });
    log.add("assistant.message", {
      ...{ messageId: uuid(random), model, content: round === 0 ? prose(random, 120) : "" },
      toolRequests: [{ toolCallId, name: toolName, arguments: args, type: "function" }],
    });
    log.add("tool.execution_start", { toolCallId, toolName, arguments: args, model });
    const result = { content: output(random, Math.floor(80 + 3000 * random() ** 3)) };
    log.add("tool.execution_complete", { toolCallId, model, success: random() < 0.95, result });
  }
  log.add("assistant.message", {
    ...{ messageId: uuid(random), model, content: prose(random, 200 + Math.floor(900 * random())) },
    toolRequests: [],
  });
}
