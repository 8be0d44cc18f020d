/** Composes one turn of a story as Copilot CLI's records: a prompt, then answers and their tool calls. */
import { createHash } from "node:crypto";
import type { StoryImage, StoryStep, StoryTool, StoryTurn } from "../../../model/session/story.ts";
import { countSign, linesOf } from "../../../model/session/story-lines.ts";
import { toolMs } from "../../../model/session/story-time.ts";
import { baseName } from "../../../model/values/paths.ts";
import type { Log } from "./compose.ts";

type ToolStep = Extract<StoryStep, { kind: "tool" }>;

/** What the model says in one go: at most one thought and one text, then the tool it wants. */
interface Answer {
  think?: string;
  say?: string;
  tool?: ToolStep;
}

/** Gives back the id of the prompt. */
export function tellTurn(log: Log, turn: StoryTurn, model: string, turnIndex: number): string {
  const attachments = (turn.images ?? []).map((image) => ({
    type: "file",
    path: image.path,
    displayName: baseName(image.path),
    ...keepAsset(log, turn.at, image),
  }));
  const prompt = log.add(turn.at, "user.message", {
    content: turn.user,
    transformedContent: `<current_datetime>${turn.at}</current_datetime>\n\n${turn.user}`,
    messageId: log.id(),
    attachments,
    delivery: "idle",
  });
  for (const [step, answer] of toAnswers(turn.steps).entries()) {
    const turnId = String(step);
    log.add(log.now(1), "assistant.turn_start", { turnId });
    tellAnswer(log, answer, { model, turnId, callId: `call_${turnIndex}_${step}` });
    log.add(log.now(), "assistant.turn_end", { turnId });
  }
  return prompt;
}

/** Writes the bytes of a picture into a record of their own; gives back what refers to it. */
function keepAsset(log: Log, time: string, { type: mimeType, data }: StoryImage): object {
  const bytes = Buffer.from(data, "base64");
  const assetId = `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
  const asset = { assetId, mimeType, byteLength: bytes.length };
  log.add(time, "session.binary_asset", { ...asset, type: "image", data });
  return asset;
}

function toAnswers(steps: readonly StoryStep[]): Answer[] {
  const answers: Answer[] = [{}];
  const last = (): Answer => answers.at(-1) ?? {};
  const next = (): void => void answers.push({});
  for (const step of steps) {
    const { think, say, tool } = last();
    if (step.kind === "tool") {
      if (tool) next();
      last().tool = step;
    } else if (step.kind === "think") {
      if (think !== undefined || say !== undefined || tool) next();
      last().think = step.text;
    } else {
      if (say !== undefined || tool) next();
      last().say = step.text;
    }
  }
  return steps.length === 0 ? [] : answers;
}

function tellAnswer(
  log: Log,
  { think, say = "", tool }: Answer,
  { model, turnId, callId }: { model: string; turnId: string; callId: string },
): void {
  const call = tool && { toolCallId: callId, ...describe(tool.tool), type: "function" };
  const time = log.now(seconds(say) + seconds(think ?? ""));
  // About four characters make a token.
  const outputTokens = Math.ceil((say.length + (think?.length ?? 0) + JSON.stringify(call ?? "").length) / 4);
  log.add(time, "session.usage_record", {
    usage: { model, inputTokens: 9_000 + outputTokens * 3, outputTokens },
  });
  log.add(time, "assistant.message", {
    messageId: log.id(),
    model,
    content: say,
    toolRequests: call ? [call] : [],
    turnId,
    ...(think !== undefined && { reasoningText: think }),
    apiCallId: log.id(),
  });
  if (!tool || !call) return;
  log.add(log.now(), "tool.execution_start", {
    toolCallId: callId,
    toolName: call.name,
    arguments: call.arguments,
    turnId,
    model,
    toolTitle: call.toolTitle,
  });
  const shown = tool.image && { type: "image", ...keepAsset(log, log.now(), tool.image) };
  log.add(log.now(toolMs(tool.tool) / 1000), "tool.execution_complete", {
    toolCallId: callId,
    model,
    turnId,
    ...(shown
      ? { success: true, result: { content: "Viewed image file.", binaryResultsForLlm: [shown] } }
      : outcome(tool)),
  });
}

/** Reading speed, the other way round; nobody checks, but a transcript looks odd without it. */
const seconds = (text: string): number => 1 + Math.ceil(text.length / 120);

interface Described {
  name: string;
  arguments: object;
  intentionSummary: string;
  toolTitle: string;
}

function describe(tool: StoryTool): Described {
  switch (tool.does) {
    case "run":
      return {
        name: "bash",
        arguments: { command: tool.command, description: tool.why },
        intentionSummary: tool.why,
        toolTitle: "Running command",
      };
    case "read":
      return {
        name: "view",
        arguments: { path: tool.path },
        intentionSummary: `view the file at ${tool.path}.`,
        toolTitle: "Viewing file",
      };
    case "search":
      return {
        name: "grep",
        arguments: { pattern: tool.pattern, paths: tool.path, output_mode: "content" },
        intentionSummary: `search for ${tool.pattern} in ${tool.path}.`,
        toolTitle: "Searching files",
      };
    case "create":
      return {
        name: "create",
        arguments: { path: tool.path, file_text: tool.text },
        intentionSummary: `create a new file at ${tool.path}.`,
        toolTitle: "Creating file",
      };
    case "edit":
      return {
        name: "edit",
        arguments: { path: tool.path, old_str: tool.before, new_str: tool.after },
        intentionSummary: `edit the file at ${tool.path}.`,
        toolTitle: "Editing file",
      };
  }
}

function outcome({ tool, ok, output }: ToolStep): object {
  // A command that fails is still a tool that worked: the exit code says what happened.
  if (tool.does === "run") {
    const exitCode = ok ? 0 : 1;
    const content = `${output.trimEnd()}\n<shellId: 0 completed with exit code ${exitCode}>`;
    return { success: true, shellExecution: { exitCode }, result: { content } };
  }
  if (!ok) return { success: false, error: { message: output, code: "failure" } };
  if (tool.does !== "create" && tool.does !== "edit") return { success: true, result: { content: output } };
  const lines = tool.does === "create" ? linesOf("", tool.text) : linesOf(tool.before, tool.after);
  const [linesAdded, linesRemoved] = [countSign(lines, "+"), countSign(lines, "-")];
  return {
    success: true,
    fileEdits: [{ path: tool.path, kind: tool.does }],
    result: { content: output },
    toolTelemetry: { metrics: { linesAdded, linesRemoved } },
  };
}
