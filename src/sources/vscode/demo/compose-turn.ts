/** Composes one turn: what VS Code shows of it, and what the extension keeps of it for the model. */

import type { Story, StoryImage, StoryTurn } from "../../../model/session/story.ts";
import { setMember } from "../../../model/values/member.ts";
import { baseName } from "../../../model/values/paths.ts";
import { uuidOf } from "../../../model/values/stable-id.ts";
import type { JsonObject } from "../../log/jsonl.ts";
import { toMessage } from "../response/message.ts";
import { composeTool, uriOf } from "./compose-tools.ts";

export const AGENT = "github.copilot.editsAgent";

export function composeTurn(story: Story, turn: StoryTurn, index: number): JsonObject {
  const started = Date.parse(turn.at);
  const ended = endOf(turn);
  const ids = (name: string): string => uuidOf(`${story.id}/${index}/${name}`);
  const responseId = `response_${ids("response")}`;
  const rounds: Round[] = [];
  const results: JsonObject = {};
  const parts: JsonObject[] = [];
  // Whatever comes after a call begins a new round of the model.
  const round = (): Round => {
    const open = rounds.at(-1);
    if (open && open.toolCalls.length === 0) return open;
    const fresh = {
      id: ids(`round/${rounds.length}`),
      response: "",
      toolCalls: [],
      toolInputRetry: 0,
      timestamp: started,
    };
    rounds.push(fresh);
    return fresh;
  };
  for (const [i, step] of turn.steps.entries()) {
    if (step.kind === "say") {
      const open = round();
      open.response += open.response === "" ? step.text : `\n\n${step.text}`;
      parts.push({ value: step.text, supportThemeIcons: false, supportHtml: false });
    } else if (step.kind === "think") {
      const id = ids(`thinking/${i}`);
      round().thinking = { id, text: step.text };
      parts.push({ kind: "thinking", value: step.text, id });
    } else {
      const id = `call_${ids(`call/${i}`).replaceAll("-", "").slice(0, 24)}`;
      const tool = composeTool(step, id, story.workspace, started);
      round().toolCalls.push({ id, name: tool.name, arguments: JSON.stringify(tool.input) });
      const given = step.image
        ? { $mid: 24, mimeType: step.image.type, data: { $base64: step.image.data } }
        : { $mid: 21, value: step.output };
      setMember(results, id, { $mid: 20, content: [given] });
      parts.push(...tool.parts);
    }
  }
  const summary = turn.compaction && {
    toolCallRoundId: rounds.at(-1)?.id ?? "",
    text: turn.compaction.overview,
  };
  return {
    requestId: `request_${ids("request")}`,
    timestamp: started,
    message: toMessage(turn.user),
    variableData: { variables: (turn.images ?? []).map(composeImage) },
    agent: AGENT_DATA,
    modelId: `copilot/${story.model}`,
    modeInfo: { kind: "agent", isBuiltin: true, modeId: "agent" },
    response: parts,
    responseId,
    result: {
      timings: { firstProgress: 900, totalElapsed: ended - started },
      metadata: {
        codeBlocks: [],
        renderedUserMessage: [{ type: 1, text: `<userRequest>\n${turn.user}\n</userRequest>\n` }],
        toolCallRounds: rounds,
        toolCallResults: results,
        ...(summary && { summary }),
        modelMessageId: ids("message"),
        responseId: ids("response"),
        sessionId: story.id,
        agentId: AGENT,
      },
    },
    modelState: { value: 1, completedAt: ended },
    contentReferences: [],
    codeCitations: [],
    followups: [],
  };
}

/** A picture that was dropped onto the prompt. */
const composeImage = ({ path, type, data }: StoryImage): JsonObject => ({
  kind: "image",
  id: uriOf(path).external,
  name: baseName(path),
  value: { $base64: data },
  mimeType: type,
  references: [{ kind: "reference", reference: uriOf(path) }],
});

interface Round {
  readonly id: string;
  response: string;
  readonly toolCalls: { id: string; name: string; arguments: string }[];
  readonly toolInputRetry: number;
  readonly timestamp: number;
  thinking?: { id: string; text: string };
}

/** The participant that answers in agent mode; VS Code shows its name beside the answer. */
export const AGENT_DATA = {
  extensionId: { value: "GitHub.copilot-chat", _lower: "github.copilot-chat" },
  extensionVersion: "0.67.0",
  publisherDisplayName: "GitHub",
  extensionPublisherId: "GitHub",
  extensionDisplayName: "GitHub Copilot Chat",
  id: AGENT,
  name: "agent",
  fullName: "GitHub Copilot",
  isDefault: true,
  locations: ["panel"],
  modes: ["agent"],
  slashCommands: [],
  disambiguation: [],
  metadata: {},
};

/** A step takes a few seconds, so that turns have a length. */
export const endOf = (turn: StoryTurn): number => Date.parse(turn.at) + 4000 * (turn.steps.length + 1);
