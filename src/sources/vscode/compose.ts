/** Composes a session that VS Code accepts, and the entry in its list of sessions, from a story. */
import { createHash } from "node:crypto";
import type { FileImage } from "../../model/image.ts";
import type { Story, StoryTurn } from "../../model/story.ts";
import { isObject, type JsonObject } from "../jsonl.ts";
import { composeTool, uriOf } from "./compose-tools.ts";
import { INDEX_KEY, TABLE } from "./state-db.ts";

const AGENT = "github.copilot.editsAgent";

export function compose(story: Story): FileImage[] {
  // A real id also depends on the folder's inode, which a folder that is made up does not have.
  const store = `workspaceStorage/${createHash("md5").update(story.workspace).digest("hex")}`;
  const times = story.turns.map((turn) => endOf(turn));
  const created = Date.parse(story.createdAt);
  const last = times.at(-1) ?? created;
  const mtime = new Date(last).toISOString();
  const session = {
    version: 3,
    sessionId: story.id,
    creationDate: created,
    initialLocation: "panel",
    responderUsername: "GitHub Copilot",
    customTitle: story.title,
    ...(story.repository !== undefined && { repoData: toRepoData(story) }),
    requests: story.turns.map((turn, index) => toRequest(story, turn, index)),
  };
  const entry = {
    sessionId: story.id,
    title: story.title,
    lastMessageDate: last,
    timing: {
      created,
      lastRequestStarted: Date.parse(story.turns.at(-1)?.at ?? story.createdAt),
      lastRequestEnded: last,
    },
    initialLocation: "panel",
    hasPendingEdits: false,
    isEmpty: story.turns.length === 0,
    isExternal: false,
    lastResponseState: 1,
  };
  const index = { version: 1, entries: { [story.id]: entry } };
  // The session first, the list of sessions last: a crash leaves something unlisted, never something broken.
  return [
    {
      path: `${store}/workspace.json`,
      content: `${JSON.stringify({ folder: fileUri(story.workspace) })}\n`,
      mtime,
    },
    {
      path: `${store}/chatSessions/${story.id}.jsonl`,
      content: `${JSON.stringify({ kind: 0, v: session })}\n`,
      mtime,
    },
    {
      path: `${store}/state.vscdb`,
      content: { table: TABLE, rows: { [INDEX_KEY]: JSON.stringify(index) } },
      mtime,
    },
  ];
}

/** One database for all sessions of a workspace: their entries go into one list. */
export function merge(images: readonly FileImage[]): FileImage[] {
  const merged = new Map<string, FileImage>();
  for (const image of images) {
    const before = merged.get(image.path);
    merged.set(image.path, before ? mergeTwo(before, image) : image);
  }
  // Lists after sessions, whatever order the stories came in.
  const isList = (image: FileImage): boolean => typeof image.content === "object" && "rows" in image.content;
  return [...merged.values()].sort((a, b) => Number(isList(a)) - Number(isList(b)));
}

function mergeTwo(a: FileImage, b: FileImage): FileImage {
  if (typeof a.content !== "object" || typeof b.content !== "object") return a;
  if (!("rows" in a.content) || !("rows" in b.content)) return a;
  const [one, two] = [a.content.rows[INDEX_KEY], b.content.rows[INDEX_KEY]].map((text) => entriesOf(text));
  const index = JSON.stringify({ version: 1, entries: { ...one, ...two } });
  const rows = { ...a.content.rows, ...b.content.rows, [INDEX_KEY]: index };
  const mtime = [a.mtime, b.mtime]
    .filter((time) => time !== undefined)
    .sort()
    .at(-1);
  return { ...a, content: { table: TABLE, rows }, ...(mtime !== undefined && { mtime }) };
}

function entriesOf(text: string | undefined): JsonObject {
  const index: unknown = JSON.parse(text ?? "{}");
  return isObject(index) && isObject(index.entries) ? index.entries : {};
}

function toRequest(story: Story, turn: StoryTurn, index: number): JsonObject {
  const started = Date.parse(turn.at);
  const ended = endOf(turn);
  const ids = (name: string): string => uuidFrom(`${story.id}/${index}/${name}`);
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
      results[id] = { $mid: 20, content: [{ $mid: 21, value: step.output }] };
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
    message: { text: turn.user, parts: [textPart(turn.user)] },
    variableData: { variables: [] },
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

interface Round {
  readonly id: string;
  response: string;
  readonly toolCalls: { id: string; name: string; arguments: string }[];
  readonly toolInputRetry: number;
  readonly timestamp: number;
  thinking?: { id: string; text: string };
}

const textPart = (text: string): JsonObject => {
  const lines = text.split("\n");
  return {
    kind: "text",
    text,
    range: { start: 0, endExclusive: text.length },
    editorRange: {
      startLineNumber: 1,
      startColumn: 1,
      endLineNumber: lines.length,
      endColumn: (lines.at(-1)?.length ?? 0) + 1,
    },
  };
};

/** The participant that answers in agent mode; VS Code shows its name beside the answer. */
const AGENT_DATA = {
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

const toRepoData = (story: Story): JsonObject => ({
  workspaceType: "remote-git",
  syncStatus: "synced",
  remoteUrl: `https://github.com/${story.repository}.git`,
  remoteVendor: "github",
  ...(story.branch !== undefined && { localBranch: story.branch }),
  diffsStatus: "noChanges",
});

/** A step takes a few seconds, so that turns have a length. */
const endOf = (turn: StoryTurn): number => Date.parse(turn.at) + 4000 * (turn.steps.length + 1);

const fileUri = (path: string): string => uriOf(path).external;

/** The same story always gets the same ids. */
function uuidFrom(text: string): string {
  const hex = createHash("sha256").update(text).digest("hex");
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join("-");
}
