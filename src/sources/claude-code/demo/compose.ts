/** Composes a story as a transcript that Claude Code lists and resumes, with the smallest set of rows that works. */
import { createHash } from "node:crypto";
import type { FileImage } from "../../../model/image.ts";
import type { Story, StoryStep, StoryTurn } from "../../../model/session/story.ts";
import { uuidOf } from "../../../model/values/stable-id.ts";
import type { JsonObject } from "../../log/jsonl.ts";
import { folderName } from "../locate.ts";
import { composeImage, composeTool, type ToolUse } from "./compose-tool.ts";

/** The release whose rows these are. */
export const VERSION = "2.1.325";
export const SUMMARY_OPENING =
  "This session is being continued from a previous conversation that ran out of context. The summary below covers the earlier portion of the conversation.";
/** Rows follow one another at this pace. */
const PACE_MS = 3000;

export function compose(story: Story): FileImage[] {
  const id = toUuid(story.id);
  const writer = createWriter(story, id);
  for (const [index, turn] of story.turns.entries()) writer.tell(turn, index);
  const rows = [...writer.rows, { type: "custom-title", customTitle: story.title, sessionId: id }];
  return [
    {
      path: `projects/${folderName(story.workspace)}/${id}.jsonl`,
      content: rows.map((row) => `${JSON.stringify(row)}\n`).join(""),
      mode: 0o600,
      mtime: writer.lastTime(),
    },
  ];
}

/** Claude Code wants UUIDs; the same name always gives the same one. */
function toUuid(name: string): string {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(name)) return name;
  return uuidOf(name);
}

/** The system prompt and the tools, which the service has in its cache. */
const PROMPT_TOKENS = 12_000;
/** About four characters make a token. */
const toTokens = (value: unknown): number => Math.ceil(JSON.stringify(value).length / 4);

const digest = (text: string): string => createHash("sha256").update(text).digest("hex");

interface Writer {
  readonly rows: readonly JsonObject[];
  tell(turn: StoryTurn, index: number): void;
  lastTime(): string;
}

function createWriter(story: Story, session: string): Writer {
  const rows: JsonObject[] = [];
  let last: string | null = null;
  let clock = Date.parse(story.createdAt);
  let cachedRows = 0;
  let cachedTokens = PROMPT_TOKENS;
  /** The turn being told; a fork keeps the ids of the rows it copied, as Claude Code's own does. */
  let teller = { owner: story.id, turn: 0, count: 0 };

  const name = (): string => `${teller.owner}/${teller.turn}/${teller.count++}`;
  const add = (fields: JsonObject): string => {
    const uuid = toUuid(name());
    const origin = teller.owner === story.id ? undefined : toUuid(teller.owner);
    rows.push({
      parentUuid: last,
      isSidechain: false,
      userType: "external",
      entrypoint: "cli",
      cwd: story.workspace,
      sessionId: session,
      version: VERSION,
      gitBranch: story.branch ?? "",
      ...fields,
      uuid,
      timestamp: new Date(clock).toISOString(),
      ...(origin !== undefined && { forkedFrom: { sessionId: origin, messageUuid: uuid } }),
    });
    clock += PACE_MS;
    last = uuid;
    return uuid;
  };
  const hear = (content: string | JsonObject[], more: JsonObject = {}): void =>
    void add({ type: "user", message: { role: "user", content }, ...more });
  const answer = (reply: string, block: JsonObject): string =>
    add({
      type: "assistant",
      message: {
        id: reply,
        type: "message",
        role: "assistant",
        model: story.model,
        content: [block],
        usage: spend(block),
      },
    });
  /** As the service counts: all that was sent before comes from the cache, and what is new goes into it. */
  const spend = (block: JsonObject): JsonObject => {
    const output = toTokens(block);
    const fresh = toTokens(rows.slice(cachedRows).map(({ message }) => message));
    const usage = {
      input_tokens: 4,
      cache_creation_input_tokens: fresh,
      cache_read_input_tokens: cachedTokens,
      output_tokens: output,
    };
    cachedRows = rows.length;
    cachedTokens += fresh;
    return usage;
  };
  const newReply = (): string => `msg_${digest(name()).slice(0, 24)}`;

  const use = (tool: ToolUse): void => {
    const call = `toolu_${digest(name()).slice(0, 24)}`;
    const source = answer(newReply(), { type: "tool_use", id: call, name: tool.name, input: tool.input });
    // The row of the result is written when the tool has ended.
    clock += tool.ms - PACE_MS;
    const result = {
      type: "tool_result",
      tool_use_id: call,
      content: tool.output,
      ...(!tool.ok && { is_error: true }),
    };
    hear([result], { toolUseResult: tool.record, sourceToolAssistantUUID: source });
  };
  const step = (each: StoryStep): void => {
    if (each.kind === "say") answer(newReply(), { type: "text", text: each.text });
    // A thought in a reply of its own is shown, but not sent again: the service would refuse its missing signature.
    else if (each.kind === "think")
      answer(newReply(), { type: "thinking", thinking: each.text, signature: "" });
    else use(composeTool(each));
  };
  const compact = ({ title, overview }: { title: string; overview: string }): void => {
    const logicalParentUuid = last;
    last = null;
    cachedRows = rows.length;
    cachedTokens = PROMPT_TOKENS;
    add({
      type: "system",
      subtype: "compact_boundary",
      content: "Conversation compacted",
      level: "info",
      isMeta: false,
      logicalParentUuid,
      compactMetadata: { trigger: "manual" },
    });
    hear(`${SUMMARY_OPENING}\n\nSummary:\n${title}\n\n${overview}`, {
      isCompactSummary: true,
      isVisibleInTranscriptOnly: true,
    });
  };

  return {
    rows,
    tell(turn, index) {
      const { forkOf } = story;
      const isCopied = forkOf !== undefined && index < (forkOf.keep ?? story.turns.length);
      teller = { owner: isCopied ? forkOf.id : story.id, turn: index, count: 0 };
      clock = Math.max(clock, Date.parse(turn.at));
      hear(turn.images ? [{ type: "text", text: turn.user }, ...turn.images.map(composeImage)] : turn.user);
      for (const each of turn.steps) step(each);
      if (turn.compaction) compact(turn.compaction);
    },
    lastTime: () => new Date(clock - PACE_MS).toISOString(),
  };
}
