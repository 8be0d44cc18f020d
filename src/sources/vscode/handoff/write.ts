/** Writes a conversation of another program as a chat that VS Code loads, and whose model gets all of it. */
import type { Call, Conversation, Picture, Prompt, Reply } from "../../../model/handoff/conversation.ts";
import { createPace, type Pace } from "../../../model/handoff/pace.ts";
import { toStoryTool } from "../../../model/handoff/story-tool.ts";
import { setMember } from "../../../model/values/member.ts";
import { uuidOf } from "../../../model/values/stable-id.ts";
import { originNote, workNote } from "../../handed-work.ts";
import type { HandoffRequest } from "../../handoff.ts";
import type { JsonObject } from "../../log/jsonl.ts";
import { composeTool, uriOf } from "../demo/compose-tools.ts";
import { AGENT, AGENT_DATA } from "../demo/compose-turn.ts";
import { toMessage } from "../response/message.ts";

/** The state of the chat, as the first line of its log has it. */
export function writeChat(
  { session, summary, turns }: Conversation,
  { id, now, name, workspace, note }: HandoffRequest,
): JsonObject {
  const pace = createPace(session.createdAt, now);
  const [first, ...others] = turns;
  // What the model did without a prompt of its own stands behind the summary, or where a prompt would.
  const opening = summary ?? (first && !first.prompt ? { text: undefined } : undefined);
  const rest = opening && first && !first.prompt ? others : turns;
  const write = createTurnWriter(id, workspace, pace, { note, from: originNote(session, id) });
  return {
    version: 3,
    sessionId: id,
    creationDate: pace(),
    initialLocation: "panel",
    responderUsername: "GitHub Copilot",
    customTitle: name,
    requests: [
      ...(opening
        ? [
            write(
              { text: note, images: [], files: [] },
              first?.prompt ? [] : (first?.replies ?? []),
              opening.text,
            ),
          ]
        : []),
      ...rest.map(({ prompt, replies }) => write(prompt ?? { text: note, images: [], files: [] }, replies)),
    ],
  };
}

type TurnWriter = (prompt: Prompt, replies: readonly Reply[], summary?: string) => JsonObject;

function createTurnWriter(
  session: string,
  workspace: string,
  pace: Pace,
  origin: { readonly note: string; readonly from: JsonObject },
): TurnWriter {
  let number = 0;
  return (prompt, replies, summary) => {
    const index = number++;
    const ids = (what: string): string => uuidOf(`${session}/${index}/${what}`);
    const started = pace(prompt.time);
    const parts: JsonObject[] = [];
    const results: JsonObject = {};
    const rounds: JsonObject[] = [];
    if (summary !== undefined) {
      parts.push(markdown(summary));
      rounds.push({ id: ids("summary"), response: "", toolCalls: [], toolInputRetry: 0, summary });
    }
    for (const [at, { thinking, text, calls, time }] of replies.entries()) {
      const timestamp = pace(time);
      if (thinking !== undefined)
        parts.push({ kind: "thinking", value: thinking, id: ids(`thinking/${at}`) });
      // Texts side by side are shown as one.
      if (text !== "") parts.push(markdown(isText(parts.at(-1)) ? `\n\n${text}` : text));
      for (const call of calls) {
        parts.push(toPart(call, workspace, timestamp));
        setMember(results, call.id, { $mid: 20, content: resultContent(call) });
        pace(call.result.time);
      }
      const toolCalls = calls.map(({ id, name, input }) => ({ id, name, arguments: JSON.stringify(input) }));
      rounds.push({ id: ids(`round/${at}`), response: text, toolCalls, toolInputRetry: 0, timestamp });
    }
    const ended = pace();
    return {
      requestId: `request_${ids("request")}`,
      timestamp: started,
      message: toMessage(prompt.text),
      variableData: { variables: variablesOf(prompt, ids) },
      agent: AGENT_DATA,
      modeInfo: { kind: "agent", isBuiltin: true, modeId: "agent" },
      response: parts,
      responseId: `response_${ids("response")}`,
      result: {
        timings: { totalElapsed: ended - started },
        metadata: {
          codeBlocks: [],
          ...(rounds.length > 0 && { toolCallRounds: rounds, toolCallResults: results }),
          modelMessageId: ids("message"),
          responseId: ids("response"),
          sessionId: session,
          agentId: AGENT,
          // VS Code keeps this of a turn when it saves the chat; of the chat itself it keeps what it knows.
          ...workNote(prompt, index === 0 ? origin : {}),
        },
      },
      modelState: { value: 1, completedAt: ended },
      contentReferences: [],
      codeCitations: [],
      followups: [],
    };
  };
}

const markdown = (value: string): JsonObject => ({ value, supportThemeIcons: false, supportHtml: false });

const isText = (part: JsonObject | undefined): boolean => part !== undefined && part.kind === undefined;

/** What VS Code shows of a call. */
function toPart({ id, name, input, act, result }: Call, workspace: string, at: number): JsonObject {
  const tool = act && toStoryTool(act);
  const ok = result.status === "ok";
  const step = tool && { kind: "tool" as const, tool, ok, output: result.text };
  const shown = step && composeTool(step, id, workspace, at).parts[0];
  const part = shown ?? {
    kind: "toolInvocationSerialized",
    toolId: name,
    toolCallId: id,
    invocationMessage: { value: `Using \`${name}\`` },
    pastTenseMessage: { value: `Used \`${name}\`` },
    isConfirmed: { type: 1 },
    isComplete: true,
    source: { type: "internal", label: "Built-In" },
  };
  if (ok || act?.kind === "shell") return part;
  const output = [{ type: "embed", isText: true, mimeType: "text/plain", value: result.text }];
  return { ...part, resultDetails: { input: JSON.stringify(input), output, isError: true } };
}

function resultContent({ result: { text, images } }: Call): JsonObject[] {
  const pictures = images.map(({ type, data }) => ({ $mid: 24, mimeType: type, data: { $base64: data } }));
  return text === "" && pictures.length > 0 ? pictures : [{ $mid: 21, value: text }, ...pictures];
}

const variablesOf = ({ images, files }: Prompt, ids: (what: string) => string): JsonObject[] => [
  ...images.map((image, index) => pictureVariable(image, ids(`image/${index}`))),
  ...files.map(({ path, name }) => ({ kind: "file", id: uriOf(path).external, name, value: uriOf(path) })),
];

const pictureVariable = ({ name = "image", type, data }: Picture, id: string): JsonObject => ({
  kind: "image",
  id,
  name,
  value: { $base64: data },
  mimeType: type,
  references: [],
});
