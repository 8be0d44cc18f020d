/** Turns of the agent, told as steps: each becomes what VS Code shows and what the extension keeps for the model. */
import { type Json, markdown, turn } from "./vscode-templates.ts";

export type Step = string | { readonly think: string; readonly part?: Json } | Call | { readonly part: Json };

/** A tool that was called: the model's side of it, and how VS Code shows it. */
export interface Call {
  readonly name: string;
  readonly input?: unknown;
  /** What the model got; nothing is kept of a call without one. */
  readonly result?: string | Json;
  /** More of the visible part, or nothing to be seen. */
  readonly shown?: Json | false;
  /** Made together with the call before it. */
  readonly beside?: true;
}

export const SOME_TIME = 1_780_000_000_000;

export const uri = (path: string, more: Json = {}): Json => ({
  $mid: 1,
  fsPath: path,
  external: `file://${path}`,
  path,
  scheme: "file",
  ...more,
});
export const range = (line: number, endLine = line): Json => ({
  startLineNumber: line,
  startColumn: 1,
  endLineNumber: endLine,
  endColumn: 10,
});
export const toolResult = (value: string): Json => ({ $mid: 20, content: [{ $mid: 21, value }] });

/** One turn of agent mode; `metadata` is what the model sees of it later. */
export function agentTurn(n: number, user: string, steps: readonly Step[], more: Json = {}): Json {
  const { parts, rounds, results } = tell(n, steps);
  const { metadata, ...rest } = more;
  return turn(n, user, parts, {
    agent: { id: "github.copilot.editsAgent", name: "agent", metadata: {}, extensionId: { value: "x" } },
    modelId: "copilot/gpt-5",
    modeInfo: { kind: "agent", isBuiltin: true, modeId: "agent" },
    result: {
      timings: { firstProgress: 5, totalElapsed: 50 },
      metadata: {
        renderedUserMessage: [{ type: 1, text: `<userRequest>\n${user}\n</userRequest>` }],
        toolCallRounds: rounds,
        toolCallResults: results,
        responseId: `answer_${n}`,
        modelMessageId: `message-${n}`,
        sessionId: "the session that this turn was part of",
        agentId: "github.copilot.editsAgent",
        ...(metadata as Json | undefined),
      },
    },
    ...rest,
  });
}

interface Round extends Json {
  response: string;
  readonly toolCalls: Json[];
}

function tell(n: number, steps: readonly Step[]): { parts: Json[]; rounds: Round[]; results: Json } {
  const parts: Json[] = [];
  const results: Json = {};
  const rounds: Round[] = [];
  const open = (isBeside = false): Round => {
    const last = rounds.at(-1);
    if (last && (isBeside || last.toolCalls.length === 0)) return last;
    const fresh = { id: `round-${n}-${rounds.length}`, response: "", toolCalls: [], toolInputRetry: 0 };
    rounds.push(fresh);
    return fresh;
  };
  for (const [i, step] of steps.entries()) {
    if (typeof step === "string") {
      open().response += step;
      parts.push(markdown(step));
    } else if ("think" in step) {
      Object.assign(open(), { thinking: { id: `thinking-${n}-${i}`, text: step.think } });
      parts.push({ kind: "thinking", value: step.think, id: `thinking-${n}-${i}`, ...step.part });
    } else if ("part" in step) parts.push(step.part);
    else {
      const id = `call_${n}_${i}__vscode-${SOME_TIME + i}`;
      const { name, input = {}, result, shown, beside } = step;
      open(beside).toolCalls.push({
        id,
        name,
        arguments: typeof input === "string" ? input : JSON.stringify(input),
      });
      if (result !== undefined) results[id] = typeof result === "string" ? toolResult(result) : result;
      if (shown !== false) parts.push({ ...toolPart(name, `call_${n}_${i}`), ...shown });
    }
  }
  return { parts, rounds, results };
}

export const toolPart = (name: string, toolCallId: string): Json => ({
  kind: "toolInvocationSerialized",
  toolId: `copilot_${name}`,
  toolCallId,
  invocationMessage: { value: `Using ${name}`, isTrusted: false, supportThemeIcons: false },
  pastTenseMessage: { value: `Used ${name}` },
  isConfirmed: { type: 1 },
  isComplete: true,
  source: { type: "internal", label: "Built-In" },
});
