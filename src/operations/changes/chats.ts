/** Lists and continues conversations with the programs of agents: Copilot CLI and Claude Code. */
import type {
  App,
  BridgeEvent,
  ChatAgent,
  ChatApp,
  ChatHead,
  ChatList,
  ChatRecord,
} from "../../app/contract.ts";
import { AppError } from "../../model/errors.ts";
import { defineOperation, defineStream, type Emit, type Zod } from "../operation.ts";

const headFields = (z: Zod) => ({
  version: z.literal(1),
  id: z.string(),
  source: z.string().describe("the agent that it is with: `copilot-cli` or `claude-code`"),
  cliSession: z.string().exactOptional().describe("the session of that agent"),
  isImprecise: z
    .boolean()
    .exactOptional()
    .describe("the program continued its last session, which may belong to another conversation"),
  isUnanswered: z.boolean().describe("nothing was answered yet, so the program may have nothing of it"),
  earlier: z.array(z.string()).describe("sessions of the program that held the conversation before"),
  logEnd: z.int().exactOptional(),
  title: z.string(),
  workspace: z.string(),
  model: z.string().exactOptional(),
  createdAt: z.string(),
  updatedAt: z.string(),
  answering: z
    .object({ pid: z.int(), started: z.string().exactOptional() })
    .exactOptional()
    .describe("the process of the program that is answering"),
});

const toHeadJson = <C extends ChatHead>({ earlier = [], isUnanswered = false, ...chat }: C) => ({
  ...chat,
  earlier,
  isUnanswered,
});

export const chats = defineOperation({
  name: "chats",
  kind: "question",
  summary: "List the conversations that rethread keeps, and the agents that it can talk to",
  input: (z) => z.strictObject({}),
  output: (z) =>
    z.object({
      chats: z.array(z.object(headFields(z))).describe("latest first"),
      unreadable: z
        .array(z.object({ path: z.string(), why: z.string() }))
        .describe("damaged conversations, and where their files are now"),
      agents: z
        .array(
          z.object({
            source: z.string(),
            label: z.string(),
            isInstalled: z.boolean().describe("whether its program was found on PATH"),
          }),
        )
        .describe(
          "the agents that can be talked to; new conversations are with the first, unless they name another",
        ),
    }),
  async run(app): Promise<ChatList & { readonly agents: readonly ChatAgent[] }> {
    const opened = await app.chat();
    return { ...opened.chats.list(), agents: opened.agents() };
  },
  toJson: ({ chats: all, unreadable, agents }) => ({
    chats: all.map(toHeadJson),
    unreadable,
    agents,
  }),
});

export const usage = (z: Zod) =>
  z.object({
    inputTokens: z.number().exactOptional(),
    outputTokens: z.number().exactOptional(),
    premiumRequests: z.number().exactOptional().describe("of Copilot CLI: those of the whole session"),
    costUsd: z.number().exactOptional().describe("of Claude Code: what it estimates, in US dollars"),
    apiMs: z.number().exactOptional(),
  });

export const chat = defineOperation({
  name: "chat",
  kind: "question",
  summary: "Read a conversation, with what has come of an answer that is under way",
  input: (z) => z.strictObject({ id: z.string().min(1).describe("any unique start of its id") }),
  output: (z) =>
    z.object({
      chat: z.object(headFields(z)),
      messages: z.array(
        z.object({
          role: z.enum(["user", "assistant"]),
          text: z.string(),
          at: z.string(),
          state: z
            .enum(["whole", "cancelled", "failed", "interrupted"])
            .nullable()
            .describe("how an answer ended; `interrupted` while it is under way, or where it was cut off"),
          usage: usage(z).nullable(),
          tools: z.array(
            z.object({ name: z.string(), says: z.string().exactOptional(), isDone: z.boolean() }),
          ),
          reason: z.string().nullable().describe("why it failed"),
        }),
      ),
    }),
  run: async (app, { id }) => (await app.chat()).chats.load(id),
  toJson: ({ messages, ...head }) => ({
    chat: toHeadJson(head),
    messages: messages.map(({ state = null, usage: used = null, tools = [], reason = null, ...said }) => ({
      ...said,
      state,
      usage: used,
      tools: [...tools],
      reason,
    })),
  }),
});

const named = (z: Zod) => z.string().min(1).describe("any unique start of its id");
const kept = (z: Zod) => z.object({ chat: z.object(headFields(z)) });
const toKeptJson = ({ messages: _, ...head }: ChatRecord) => ({ chat: toHeadJson(head) });

export const chatRename = defineOperation({
  name: "chat-rename",
  kind: "change",
  summary: "Give a conversation another title; the program's own session keeps its name",
  input: (z) =>
    z.strictObject({
      id: named(z),
      title: z.string().min(1).describe("at most 200 characters, on one line"),
    }),
  output: kept,
  run: async (app, { id, title }) => (await app.chat()).keeping.rename(id, title),
  toJson: toKeptJson,
});

export const chatDelete = defineOperation({
  name: "chat-delete",
  kind: "change",
  summary: "Delete a conversation; the program's own session stays, and it can be brought back for 30 days",
  input: (z) => z.strictObject({ id: named(z) }),
  output: kept,
  run: async (app, { id }) => (await app.chat()).keeping.delete(id),
  toJson: toKeptJson,
});

export const chatRestore = defineOperation({
  name: "chat-restore",
  kind: "change",
  summary: "Bring back a conversation that was deleted in the last 30 days",
  input: (z) => z.strictObject({ id: named(z) }),
  output: kept,
  run: async (app, { id }) => (await app.chat()).keeping.bringBack(id),
  toJson: toKeptJson,
});

interface ChatWish {
  /** A conversation, or a session of a program. */
  readonly session: string | undefined;
  readonly agent: string | undefined;
  readonly workspace: string | undefined;
  readonly model: string | undefined;
}

/** The conversation that is meant, or a new one. */
export function openChat(
  bridge: ChatApp,
  { session, agent, workspace, model }: ChatWish,
): Promise<ChatRecord> {
  const place = workspace === undefined ? {} : { workspace };
  if (session === undefined)
    return bridge.begin({
      ...place,
      ...(model !== undefined && { model }),
      ...(agent !== undefined && { agent }),
    });
  if (agent === undefined) return bridge.open(session, place);
  throw new AppError("usage", "A conversation stays with its agent", "Leave out the agent or the session");
}

/** First which conversation it is, then what the program says as it says it, and `finished` last. */
export type Said =
  | { readonly kind: "opened"; readonly chat: ChatRecord; readonly isHere: boolean }
  | BridgeEvent;

export const chatSend = defineStream({
  name: "chat-send",
  kind: "stream",
  summary: "Send a message to Copilot CLI or Claude Code, in a conversation that continues after any restart",
  input: (z) =>
    z.strictObject({
      session: z
        .string()
        .min(1)
        .exactOptional()
        .describe(
          "a conversation, or a session of Copilot CLI or Claude Code; without one, a new conversation begins",
        ),
      agent: z
        .string()
        .exactOptional()
        .describe(
          "begin with this agent: `copilot-cli` or `claude-code`; otherwise the first that is installed",
        ),
      message: z.string().min(1),
      model: z.string().exactOptional().describe("the model to ask"),
      workspace: z
        .string()
        .exactOptional()
        .describe("begin in this folder; or take the conversation there, in a copy of the program's session"),
      allowsTools: z
        .boolean()
        .exactOptional()
        .describe("let tools run without asking (the default), or refuse those that need a permission"),
      keepsContext: z
        .boolean()
        .exactOptional()
        .describe("false lets the message stand alone, without what was said before"),
      ignoreLock: z
        .boolean()
        .exactOptional()
        .describe("send although another process seems to have the program's session open"),
      silenceMs: z
        .int()
        .min(1)
        .exactOptional()
        .describe("stop a program that says nothing for so long (default 600000)"),
    }),
  output: (z) =>
    z.discriminatedUnion("kind", [
      z.object({
        kind: z.literal("opened"),
        id: z.string().describe("of the conversation"),
        source: z.string().describe("the agent that it is with"),
        workspace: z.string(),
        isHere: z.boolean().describe("whether that is the current folder, or one around it"),
      }),
      z.object({ kind: z.literal("text"), message: z.string(), text: z.string() }),
      z.object({ kind: z.literal("thinking"), text: z.string() }),
      z.object({
        kind: z.literal("tool"),
        call: z.string(),
        name: z.string(),
        state: z.enum(["began", "done", "failed"]),
        says: z.string().exactOptional(),
      }),
      z.object({ kind: z.literal("notice"), text: z.string(), isError: z.boolean() }),
      z.object({ kind: z.literal("usage"), usage: usage(z) }),
      z.object({
        kind: z.literal("finished"),
        state: z.enum(["whole", "cancelled", "failed", "interrupted"]),
        answer: z.string(),
        cliSession: z.string().exactOptional(),
        isImprecise: z.boolean(),
        usage: usage(z),
        reason: z.string().exactOptional(),
      }),
    ]),
  async run(app: App, { session, agent, message, workspace, ...how }, emit: Emit<Said>, call = {}) {
    if (message.trim() === "") throw new AppError("usage", "The message is empty", "Write a message");
    const bridge = await app.chat();
    const chat = await openChat(bridge, { session, agent, workspace, model: how.model });
    await emit({ kind: "opened", chat, isHere: await bridge.isHere(chat) });
    const options = { ...how, ...(call.signal && { signal: call.signal }) };
    for await (const event of bridge.send(chat.id, message, options)) await emit(event);
  },
  toJson: (said) =>
    said.kind === "opened"
      ? {
          ...{ kind: said.kind, id: said.chat.id, source: said.chat.source },
          ...{ workspace: said.chat.workspace, isHere: said.isHere },
        }
      : said,
});
