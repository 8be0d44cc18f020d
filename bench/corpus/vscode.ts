/** VS Code's sessions in both of its forms: a log of changes, or one document. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSizes, type Make, START, uuid, writeLog } from "./log.ts";
import { createRandom, type Texts } from "./text.ts";

const FOLDER = join("workspaceStorage", "0123456789abcdef0123456789abcdef", "chatSessions");

const headOf = (sessionId: string) => ({
  version: 3,
  sessionId,
  creationDate: START,
  initialLocation: "panel",
  responderUsername: "GitHub Copilot",
  customTitle: "A long one",
});

interface TurnText {
  readonly index: number;
  readonly text: string;
  readonly output: string;
}

const requestOf = ({ index, text }: TurnText) => ({
  requestId: `request_${index}`,
  timestamp: START + index * 60_000,
  message: {
    text,
    parts: [
      {
        kind: "text",
        text,
        range: { start: 0, endExclusive: text.length },
        editorRange: {
          startLineNumber: 1,
          startColumn: 1,
          endLineNumber: 1,
          endColumn: text.length + 1,
        },
      },
    ],
  },
  variableData: { variables: [] },
  response: [],
});

const responseOf = (index: number, answer: string) => [
  {
    kind: "toolInvocationSerialized",
    toolId: "run_in_terminal",
    toolCallId: `call_${index}`,
    invocationMessage: "Run",
    isConfirmed: { type: 1 },
    isComplete: true,
    source: { type: "internal" },
  },
  { value: answer },
];

const resultOf = ({ index, output }: TurnText) => ({
  metadata: {
    toolCallRounds: [
      {
        id: `round_${index}`,
        response: "",
        toolCalls: [{ id: `call_${index}`, name: "run_in_terminal", arguments: "{}" }],
      },
    ],
    toolCallResults: { [`call_${index}`]: { $mid: 20, content: [{ $mid: 21, value: output }] } },
  },
});

const stateOf = (index: number) => ({ value: 1, completedAt: START + index * 60_000 + 9000 });

export const makeVscode: Make = (texts, root, shape) => {
  const random = createRandom(shape.seed);
  const sessionId = uuid(random);
  return writeLog(join(root, FOLDER, `${sessionId}.jsonl`), (log) => {
    const nextSize = createSizes(log, shape, random);
    log.write({ kind: 0, v: { ...headOf(sessionId), requests: [] } });
    let index = 0;
    do {
      const said = texts.prose(random, 120).trim();
      const text = index === 0 && shape.needle !== undefined ? `${said} ${shape.needle}` : said;
      const turn = { index, text, output: texts.output(random, nextSize()) };
      log.write({ kind: 2, k: ["requests"], v: [requestOf(turn)] });
      log.write({
        kind: 2,
        k: ["requests", index, "response"],
        v: responseOf(index, texts.prose(random, 900)),
      });
      log.write({ kind: 1, k: ["requests", index, "result"], v: resultOf(turn) });
      log.write({ kind: 1, k: ["requests", index, "modelState"], v: stateOf(index) });
      index++;
    } while (log.bytes < shape.bytes);
    return index;
  });
};

/** The older form. */
export function makeVscodeDocument(texts: Texts, root: string, bytes: number): string {
  const random = createRandom(1);
  const sessionId = uuid(random);
  // The log's maker knows how to make the folder.
  const { path } = makeVscode(texts, root, { seed: 2, bytes: 0 });
  const requests = [];
  for (let size = 0, index = 0; size < bytes; index++) {
    const text = texts.prose(random, 120).trim();
    const turn = { index, text, output: texts.output(random, 400 + Math.floor(random() * 18_000)) };
    requests.push({
      ...requestOf(turn),
      response: responseOf(index, texts.prose(random, 900)),
      result: resultOf(turn),
      modelState: stateOf(index),
    });
    size += turn.output.length + 2200;
  }
  const document = join(path, "..", `${sessionId}.json`);
  writeFileSync(document, JSON.stringify({ ...headOf(sessionId), requests }));
  return document;
}
