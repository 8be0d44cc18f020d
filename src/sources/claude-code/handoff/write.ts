/** Writes a conversation of another program as a transcript that Claude Code resumes, with the smallest set of rows. */
import { createHash } from "node:crypto";
import type { Call, Conversation, Prompt, Reply } from "../../../model/handoff/conversation.ts";
import { createPace } from "../../../model/handoff/pace.ts";
import { toStoryTool } from "../../../model/handoff/story-tool.ts";
import { uuidOf } from "../../../model/values/stable-id.ts";
import { originNote, workNote } from "../../handed-work.ts";
import type { HandoffRequest } from "../../handoff.ts";
import type { JsonObject } from "../../log/jsonl.ts";
import { SUMMARY_OPENING, VERSION } from "../demo/compose.ts";
import { composeImage, recordOf } from "../demo/compose-tool.ts";

export function* writeRows(
  { session, summary, turns }: Conversation,
  { id, now, name, workspace, note }: HandoffRequest,
): Generator<string> {
  const pace = createPace(session.createdAt, now);
  let count = 0;
  let last: string | null = null;
  const row = (fields: JsonObject, time?: string): string => {
    const uuid = uuidOf(`${id}/${count++}`);
    const whole = {
      parentUuid: last,
      isSidechain: false,
      userType: "external",
      entrypoint: "cli",
      cwd: workspace,
      sessionId: id,
      version: VERSION,
      gitBranch: session.branch ?? "",
      ...fields,
      uuid,
      timestamp: new Date(pace(time)).toISOString(),
    };
    last = uuid;
    return `${JSON.stringify(whole)}\n`;
  };
  const newReply = (): string =>
    `msg_${createHash("sha256").update(`${id}/${count}`).digest("hex").slice(0, 24)}`;
  // Without the name of a model: a resumed session goes on with the model of its last answer.
  const answer = (reply: string, block: JsonObject, time?: string): string =>
    row(
      {
        type: "assistant",
        message: { id: reply, type: "message", role: "assistant", content: [block] },
      },
      time,
    );
  function* tellReply({ thinking, text, calls, time }: Reply): Generator<string> {
    // A thought in a reply of its own is shown, but not sent again: the service would refuse its missing signature.
    if (thinking !== undefined) yield answer(newReply(), { type: "thinking", thinking, signature: "" }, time);
    const reply = newReply();
    if (text.trim() !== "") yield answer(reply, { type: "text", text }, time);
    const sources = new Map<string, string | null>();
    for (const call of calls) {
      yield answer(
        reply,
        { type: "tool_use", id: call.id, name: call.name, input: call.input },
        call.time ?? time,
      );
      sources.set(call.id, last);
    }
    for (const call of calls) {
      const message = { role: "user", content: [resultBlock(call)] };
      const beside = {
        toolUseResult: resultRecord(call),
        sourceToolAssistantUUID: sources.get(call.id) ?? null,
      };
      yield row({ type: "user", message, ...beside }, call.result.time);
    }
  }

  const from = originNote(session, id);
  const opening = { type: "system", level: "info", isMeta: false };
  if (summary) {
    const boundary = { subtype: "compact_boundary", content: "Conversation compacted" };
    const about = { compactMetadata: { trigger: "manual" }, handoff: { note, from } };
    yield row({ ...opening, ...boundary, ...about }, summary.time);
    const text = summary.text.startsWith(SUMMARY_OPENING)
      ? summary.text
      : `${SUMMARY_OPENING}\n\nSummary:\n${summary.text}`;
    yield row({
      type: "user",
      message: { role: "user", content: text },
      isCompactSummary: true,
      isVisibleInTranscriptOnly: true,
    });
  } else yield row({ ...opening, subtype: "informational", content: note, handoff: { note, from } });
  for (const { prompt, replies } of turns) {
    if (prompt)
      yield row(
        { type: "user", message: { role: "user", content: contentOf(prompt) }, ...workNote(prompt) },
        prompt.time,
      );
    for (const reply of replies) yield* tellReply(reply);
  }
  yield `${JSON.stringify({ type: "custom-title", customTitle: name, sessionId: id })}\n`;
}

const contentOf = ({ text, images }: Prompt): string | JsonObject[] =>
  images.length === 0
    ? text
    : [...(text.trim() === "" ? [] : [{ type: "text", text }]), ...images.map(composeImage)];

function resultBlock({ id, result }: Call): JsonObject {
  const texts = result.text === "" && result.images.length > 0 ? [] : [{ type: "text", text: result.text }];
  return {
    type: "tool_result",
    tool_use_id: id,
    content: result.images.length === 0 ? result.text : [...texts, ...result.images.map(composeImage)],
    ...(result.status !== "ok" && { is_error: true }),
  };
}

/** As the program's own views expect it beside the result. */
function resultRecord({ act, result: { text, status } }: Call): JsonObject | string {
  const tool = status === "ok" && act ? toStoryTool(act) : undefined;
  if (tool) return recordOf(tool, text);
  return status === "ok" ? text : `Error: ${text}`;
}
