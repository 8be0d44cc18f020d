/** Made-up chats of VS Code with every shape that matters to whoever makes them smaller, by the choices of a random source. */
import fc from "fast-check";
import { START } from "./vscode-log.ts";

type Json = Record<string, unknown>;

interface MadeRound {
  readonly text: string;
  readonly thinks: boolean;
  readonly hook: boolean;
  readonly summary: boolean;
  readonly calls: readonly { readonly tool: number; readonly output: string; readonly shape: number }[];
}
interface MadeTurn {
  readonly prompt: string;
  readonly rendered: boolean;
  readonly rounds: readonly MadeRound[];
  readonly shown: string;
  readonly hidden: boolean;
  readonly limited: boolean;
  readonly odd: boolean;
}

const TOOLS = ["run_in_terminal", "create_file", "replace_string_in_file", "read_file", "runSubagent"];

const words = fc
  .array(fc.constantFrom("build ", "the ", "parser ", "größer ", "🙂 ", "line\n", "x = 1; "), {
    maxLength: 400,
  })
  .map((list) => list.join(""));
const round: fc.Arbitrary<MadeRound> = fc.record({
  text: fc.oneof(fc.constant(""), words),
  thinks: fc.boolean(),
  hook: fc.integer({ max: 9, min: 0 }).map((dice) => dice === 0),
  summary: fc.integer({ max: 15, min: 0 }).map((dice) => dice === 0),
  calls: fc.array(fc.record({ tool: fc.nat(TOOLS.length - 1), output: words, shape: fc.nat(5) }), {
    maxLength: 3,
  }),
});
const turn: fc.Arbitrary<MadeTurn> = fc.record({
  prompt: words.map((text) => text.trim() || "go"),
  rendered: fc.boolean(),
  rounds: fc.array(round, { maxLength: 4 }),
  shown: words,
  hidden: fc.integer({ max: 15, min: 0 }).map((dice) => dice === 0),
  limited: fc.integer({ max: 5, min: 0 }).map((dice) => dice === 0),
  odd: fc.boolean(),
});

export const madeUpSessions: fc.Arbitrary<Json> = fc
  .array(turn, { minLength: 1, maxLength: 9 })
  .map((turns) => toSession(turns));

function toSession(turns: readonly MadeTurn[]): Json {
  const requests: Json[] = [];
  let waiting: Json = {};
  for (const [index, made] of turns.entries()) {
    const { request, late } = toRequest(made, index, waiting, index + 1 < turns.length);
    requests.push(request);
    waiting = late;
  }
  return {
    version: 3,
    sessionId: "s",
    creationDate: START,
    responderUsername: "GitHub Copilot",
    initialLocation: "panel",
    customTitle: "Made up",
    future: { kept: 1.5 },
    requests,
  };
}

/** Some answer their last calls in the next turn, as happens when the limit of calls is reached. */
function toRequest(
  { prompt, rendered, rounds, shown, hidden, limited, odd }: MadeTurn,
  index: number,
  waiting: Json,
  hasNext: boolean,
): { request: Json; late: Json } {
  const results: Json = { ...waiting };
  const late: Json = {};
  const parts: Json[] = [];
  const isLimited = limited && hasNext && !hidden;
  const toolCallRounds = rounds.map(({ text, thinks, hook, summary, calls }, r) => {
    const id = `round_${index}_${r}`;
    if (thinks) parts.push({ kind: "thinking", value: `Thinking about ${text.slice(0, 20)}`, id });
    if (text !== "") parts.push({ value: text, supportThemeIcons: false });
    const toolCalls = calls.map(({ tool, output, shape }, c) => {
      const name = TOOLS[tool] ?? "";
      const call = `call_${index}_${r}_${c}__vscode-1`;
      const isLate = isLimited && r === rounds.length - 1;
      if (shape !== 0 || isLate) (isLate ? late : results)[call] = toResult(output, shape);
      if (shape !== 1) parts.push(toPart(call, name, output, odd));
      return { id: call, name, arguments: JSON.stringify({ filePath: "/srv/a.ts", content: output }) };
    });
    return {
      response: text,
      toolCalls,
      toolInputRetry: 0,
      id,
      ...(thinks && { thinking: { id, text: `Thinking about ${text}`, future: true } }),
      ...(r === 0 && { statefulMarker: { modelId: "m", marker: "x" } }),
      ...(hook && { hookContext: `A hook says ${index}.${r}` }),
      ...(summary && { summary: `So far: ${text}` }),
      future: [1, { a: null }],
    };
  });
  if (shown !== "") parts.push({ value: shown });
  if (odd)
    parts.push(
      { kind: "futureKind", payload: shown },
      { kind: "inlineReference", inlineReference: { $mid: 1, path: "/srv/a.ts", scheme: "file" } },
    );
  const metadata = {
    responseId: `r-${index}`,
    sessionId: "s",
    future: "kept",
    ...(rendered && {
      renderedUserMessage: [
        { type: 1, text: `<userRequest>${prompt}</userRequest>` },
        { type: 3, cacheType: "e" },
      ],
    }),
    ...(toolCallRounds.length > 0 && { toolCallRounds, toolCallResults: results }),
    ...(isLimited && { maxToolCallsExceeded: true }),
  };
  const request = {
    requestId: `request_${index}`,
    responseId: `response_${index}`,
    timestamp: START + index,
    message: {
      text: prompt,
      parts: [
        {
          kind: "text",
          text: prompt,
          range: { start: 0, endExclusive: prompt.length },
          editorRange: { startLineNumber: 1, startColumn: 1, endLineNumber: 1, endColumn: 1 },
        },
      ],
    },
    variableData: { variables: [] },
    modelId: "copilot/gpt",
    response: parts,
    result: { timings: { firstProgress: 1, totalElapsed: 2 }, metadata },
    modelState: { value: 1, completedAt: START + index },
    ...(hidden && { shouldBeRemovedOnSend: true }),
    future: index,
  };
  return { request, late };
}

const toResult = (output: string, shape: number): Json => ({
  $mid: 20,
  content:
    shape === 2
      ? [
          {
            $mid: 23,
            value: { node: { type: 1, children: [{ type: 2, text: output, lineBreakBefore: true }] } },
          },
        ]
      : shape === 3
        ? [
            { $mid: 21, value: output },
            { $mid: 24, mimeType: "image/png", data: { $base64: "AAAA" } },
          ]
        : [{ $mid: 21, value: shape === 4 ? `ERROR while calling tool: ${output}` : output }],
});

const toPart = (call: string, name: string, output: string, odd: boolean): Json => ({
  kind: "toolInvocationSerialized",
  toolId: name,
  toolCallId: call.split("__")[0],
  invocationMessage: { value: `Running ${name}` },
  isConfirmed: { type: 1 },
  isComplete: true,
  source: { type: "internal" },
  ...(odd
    ? {
        toolSpecificData: {
          kind: "terminal",
          commandLine: { original: "make" },
          terminalCommandOutput: { text: output },
        },
      }
    : {
        resultDetails: {
          input: JSON.stringify({ content: output }),
          output: [{ type: "embed", isText: true, value: output }],
        },
      }),
  future: "part",
});
