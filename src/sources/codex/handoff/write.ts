/** Tells a conversation of another program as the turns of a log that Codex CLI resumes. */
import type { Call, Conversation, Picture, Prompt, Reply } from "../../../model/handoff/conversation.ts";
import { createPace } from "../../../model/handoff/pace.ts";
import { originNote, workNote } from "../../handed-work.ts";
import type { HandoffRequest } from "../../handoff.ts";
import type { JsonObject } from "../../log/jsonl.ts";
import { OUTPUT_TOKENS } from "../context/truncate.ts";
import { readOutput } from "../log/outputs.ts";
import type { RolloutHead, RolloutImage, RolloutStep, RolloutTurn } from "../write/rollout.ts";

/** Without the name of a model: a resumed session goes on with the model of its last turn. */
export function headOf({ session, summary }: Conversation, request: HandoffRequest): RolloutHead {
  const { id, workspace, note } = request;
  const time = timesOf({ session }, request);
  return {
    ...{ id, workspace, createdAt: time() },
    ...(session.branch !== undefined && { branch: session.branch }),
    handoff: { note, from: originNote(session, id) },
    ...(summary && { summary: { text: summary.text, at: time(summary.time) } }),
  };
}

export function turnsOf(conversation: Conversation, request: HandoffRequest): RolloutTurn[] {
  const time = timesOf(conversation, request);
  time(conversation.summary?.time);
  return conversation.turns.map(({ prompt, replies }): RolloutTurn => {
    const at = time(prompt?.time);
    return {
      at,
      ...(prompt && { user: prompt.text, images: imagesOf(prompt), metadata: workNote(prompt) }),
      steps: replies.flatMap((reply) => stepsOf(reply, time)),
    };
  });
}

type Times = (time?: string) => string;

function timesOf({ session }: Pick<Conversation, "session">, { now }: HandoffRequest): Times {
  const pace = createPace(session.createdAt, now);
  return (time) => new Date(pace(time)).toISOString();
}

function stepsOf({ thinking, text, calls, time }: Reply, times: Times): RolloutStep[] {
  const at = times(time);
  const begun = calls.map((call) => ({ call, calledAt: times(call.time) }));
  return [
    ...(thinking === undefined ? [] : [{ kind: "think" as const, text: thinking, at }]),
    ...(text.trim() === "" ? [] : [{ kind: "say" as const, text, at }]),
    ...(calls.length === 0
      ? []
      : [
          {
            kind: "calls" as const,
            calls: begun.map(({ call, calledAt }) => ({
              ...toCall(call),
              calledAt,
              at: times(call.result.time),
            })),
          },
        ]),
  ];
}

function toCall({ id, name, input, result }: Call) {
  const output = outputOf(result);
  const tokens = Math.ceil(Buffer.byteLength(result.text) / 4);
  const metadata: JsonObject = {
    ...(readOutput(output).status !== result.status && { handoff: { status: result.status } }),
    // Else the middle of it would be left out.
    ...(tokens > OUTPUT_TOKENS && { fallback_token_limit_override: tokens }),
  };
  return { id, name, input, output, ...(Object.keys(metadata).length > 0 && { metadata }) };
}

function outputOf({ text, images }: Call["result"]): string | JsonObject[] {
  if (images.length === 0) return text;
  return [...(text === "" ? [] : [{ type: "input_text", text }]), ...images.map(pictureOf)];
}

const pictureOf = ({ type, data }: Picture): JsonObject => ({
  type: "input_image",
  image_url: `data:${type};base64,${data}`,
});

/** A path is what people are shown of a picture; of others' pictures only a name is known. */
const imagesOf = ({ images }: Prompt): RolloutImage[] =>
  images.map(({ name = "image", type, data }) => ({ path: name.replaceAll('"', "'"), type, data }));
