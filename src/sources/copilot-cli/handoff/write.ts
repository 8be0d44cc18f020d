/** Writes a conversation of another program as the log of a session that Copilot CLI resumes. */
import { createHash } from "node:crypto";
import type { Call, Conversation, Picture, Prompt, Reply } from "../../../model/handoff/conversation.ts";
import { createPace } from "../../../model/handoff/pace.ts";
import { uuidOf } from "../../../model/values/stable-id.ts";
import { originNote, workNote } from "../../handed-work.ts";
import type { HandoffRequest } from "../../handoff.ts";
import { VERSION } from "../demo/compose.ts";
import type { NotedFolder } from "../edit/copy/noted-folder.ts";

/** The lines of the log. */
export function* writeLog(
  { session, summary, turns }: Conversation,
  { id, now, note }: HandoffRequest,
  { context }: NotedFolder,
): Generator<string> {
  const pace = createPace(session.createdAt, now);
  let count = 0;
  let parentId: string | null = null;
  const newId = (): string => uuidOf(`${id}/${count++}`);
  const line = (type: string, data: object, time?: string): string => {
    const event = { type, data, id: newId(), timestamp: new Date(pace(time)).toISOString(), parentId };
    parentId = event.id;
    return `${JSON.stringify(event)}\n`;
  };
  const assets = new Set<string>();
  /** The bytes of a picture stand in a record of their own, once. */
  function* keepAsset({ type, data }: Picture): Generator<string, object> {
    const bytes = Buffer.from(data, "base64");
    const assetId = `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
    const asset = { assetId, mimeType: type, byteLength: bytes.length };
    if (!assets.has(assetId)) yield line("session.binary_asset", { ...asset, type: "image", data });
    assets.add(assetId);
    return { type: "image", ...asset };
  }
  function* tellCall(call: Call, turnId: string): Generator<string> {
    const { result } = call;
    const shown: object[] = [];
    for (const image of result.images) shown.push(yield* keepAsset(image));
    const outcome =
      result.status === "ok"
        ? { result: { content: result.text, ...(shown.length > 0 && { binaryResultsForLlm: shown }) } }
        : {
            error: {
              message: result.text,
              code: result.status === "interrupted" ? "interrupted" : "failure",
            },
          };
    const data = { toolCallId: call.id, success: result.status === "ok", turnId, ...outcome };
    yield line("tool.execution_complete", data, result.time);
  }
  function* tellReply({ text, thinking, calls, time }: Reply, turnId: string): Generator<string> {
    yield line("assistant.turn_start", { turnId }, time);
    yield line("assistant.message", {
      messageId: newId(),
      content: text,
      toolRequests: calls.map(({ id: toolCallId, name, input }) => ({
        toolCallId,
        name,
        arguments: input,
        type: "function",
      })),
      turnId,
      ...(thinking !== undefined && { reasoningText: thinking }),
    });
    for (const { id: toolCallId, name: toolName, input, time: begun } of calls)
      yield line("tool.execution_start", { toolCallId, toolName, arguments: input, turnId }, begun);
    for (const call of calls) yield* tellCall(call, turnId);
    yield line("assistant.turn_end", { turnId });
  }

  yield line("session.start", {
    sessionId: id,
    version: 1,
    producer: "copilot-agent",
    copilotVersion: VERSION,
    startTime: new Date(pace()).toISOString(),
    context,
    alreadyInUse: false,
    remoteSteerable: false,
  });
  yield line("session.info", {
    infoType: "handoff",
    message: note,
    handoff: { from: originNote(session, id) },
  });
  if (summary) {
    const data = { success: true, outcome: "applied", summaryContent: summary.text };
    yield line("session.compaction_complete", data, summary.time);
  }
  for (const { prompt, replies } of turns) {
    if (prompt) {
      const said = { content: prompt.text, attachments: attachmentsOf(prompt), ...workNote(prompt) };
      yield line("user.message", said, prompt.time);
    }
    for (const [index, reply] of replies.entries()) yield* tellReply(reply, String(index));
  }
}

const attachmentsOf = ({ images, files }: Prompt): object[] => [
  ...images.map(({ name = "image", type, data }) => ({
    type: "blob",
    data,
    mimeType: type,
    displayName: name,
  })),
  ...files.map(({ path, name }) => ({ type: "file", path, displayName: name })),
];
