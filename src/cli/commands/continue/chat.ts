/** `rethread chat`: a conversation with Copilot CLI or Claude Code that survives restarts. */

import type { ChatRecord } from "../../../app/contract.ts";
import { hasAnswer } from "../../../model/chat.ts";
import { AppError } from "../../../model/errors.ts";
import { shortId } from "../../../model/values/id.ts";
import {
  chatDelete,
  chatRename,
  chatRestore,
  chatSend,
  chats,
  openChat,
  type Said,
  usage,
} from "../../../operations/changes/chats.ts";
import type { Zod } from "../../../operations/operation.ts";
import { wrap } from "../../../present/text/text.ts";
import { keep } from "../../chat-keeping.ts";
import { talk } from "../../chat-terminal.ts";
import { createChatView } from "../../chat-view.ts";
import { defineCommand } from "../../command.ts";
import { interruptible } from "../../interrupt.ts";
import { SCHEMA_VERSION } from "../../output.ts";
import { elsewhereLine, printChats, toolsLine } from "../../print/terminal/chat.ts";
import { IGNORE_LOCK_ARG } from "../../writing.ts";

export default defineCommand({
  name: "chat",
  summary: "Chat with Copilot CLI or Claude Code, and continue the same conversation after any restart",
  brief: "Chat with an agent, and continue after any restart",
  about:
    "Rethread keeps the conversation in its own folder, in addition to the session that the agent's program keeps. If the program has lost its session, rethread writes it again from its own record. A new conversation is with the agent that --agent names, else with Copilot CLI where it is installed, else with Claude Code; a conversation or session that you name stays with its own. The environment is passed on to the program. Its tools run without asking for permission, because nobody can be asked; --no-tools denies those that need it. In a terminal, end a line with a backslash to continue on the next line; Ctrl-C cancels the answer, and a second Ctrl-C or Ctrl-D quits. With --jsonl, each line has a `kind`: `opened` (with the `id` of the conversation), `text`, `thinking`, `tool`, `notice`, `usage`, and `finished` last, with its `state` and the whole `answer`.",
  args: {
    session: {
      kind: "positional",
      session: true,
      optional: true,
      help: "a conversation, or a session of Copilot CLI or Claude Code; without one, a new conversation starts in this folder",
    },
    send: { kind: "text", value: "message", help: "send one message, print the answer, and exit" },
    jsonl: {
      kind: "flag",
      help: "with --send: print what happens as it happens, one JSON object per line",
    },
    list: { kind: "flag", help: "list the conversations, and exit" },
    rename: { kind: "text", value: "title", help: "give the conversation another title, and exit" },
    delete: {
      kind: "flag",
      help: "delete the conversation, and exit; the program's own session stays",
    },
    restore: { kind: "flag", help: "bring back a conversation that was deleted in the last 30 days" },
    agent: {
      kind: "text",
      value: "agent",
      help: "start the conversation with copilot-cli or claude-code (default: the first that is installed)",
    },
    model: { kind: "text", value: "model", completes: "models", help: "the model to use" },
    workspace: {
      kind: "text",
      value: "folder",
      help: "start in this folder; or move an existing conversation there, in a copy of its session",
    },
    copilot: {
      kind: "text",
      value: "path",
      help: "the Copilot CLI program, if it is not the copilot on your PATH",
    },
    claude: {
      kind: "text",
      value: "path",
      help: "the Claude Code program, if it is not the claude on your PATH",
    },
    timeout: {
      kind: "number",
      value: "seconds",
      help: "stop the program when it prints nothing for this long (default: 600)",
    },
    noTools: { kind: "flag", help: "deny the tools that need permission, instead of letting them run" },
    ...IGNORE_LOCK_ARG,
    alone: { kind: "flag", help: "send the message alone, without the earlier conversation" },
  },
  examples: [
    { command: "rethread chat", why: "a new conversation in this folder" },
    { command: "rethread chat --agent claude-code", why: "the same, with Claude Code" },
    { command: "rethread chat 0b1c2d3e", why: "continue a conversation" },
    { command: "rethread chat 0b1c2d3e --send 'And the tests?' --json", why: "from a script" },
    { command: "rethread chat 0b1c2d3e --rename 'Retries'", why: "call it something else" },
    { command: "rethread chat --send 'Run the tests' --jsonl | jq .", why: "as it happens, for a program" },
  ],
  operations: [chats, chatSend, chatRename, chatDelete, chatRestore],
  json: [
    { schema: answerShape },
    { when: "with `--list`", schema: chats.output },
    { when: "with `--rename`, `--delete` or `--restore`", schema: chatRename.output },
  ],
  async run({ args, config, out, openApp }) {
    const app = await openApp();
    const isDemo = app.demo !== undefined;
    const page = { style: out.style, columns: out.columns, isDemo };
    if (args.list) {
      const list = await chats.run(app, {});
      if (args.json) out.json(chats.toJson(list, app));
      else for (const line of printChats(list, config.now(), page)) out.line(line);
      return 0;
    }
    if (args.rename !== undefined || args.delete || args.restore) {
      const kept = await keep(app, args);
      if (args.json) out.json(chatRename.toJson(kept.chat, app));
      else for (const line of wrap(kept.says(isDemo), out.columns)) out.line(line);
      return 0;
    }
    const program = programOf(args);
    const how = {
      ...(args.model !== undefined && { model: args.model }),
      allowsTools: !args.noTools,
      keepsContext: !args.alone,
      ignoreLock: args.ignoreLock,
      ...(args.timeout !== undefined && { silenceMs: args.timeout * 1000 }),
    };
    if (args.send === undefined) {
      if (args.jsonl)
        throw new AppError("usage", "--jsonl needs a message to send", 'Write one: --send "…" --jsonl');
      const bridge = await app.chat(program);
      const chat = await openChat(bridge, args);
      const elsewhere = (await bridge.isHere(chat)) ? [] : [elsewhereLine(chat, isDemo)];
      return talk(bridge, chat, how, { out, config, elsewhere, isDemo });
    }
    const message = args.send;
    if (message.trim() === "") throw new AppError("usage", "The message is empty", 'Write one: --send "…"');
    const input = {
      ...{ message, ...how },
      ...(args.workspace !== undefined && { workspace: args.workspace }),
      ...(args.agent !== undefined && { agent: args.agent }),
      ...(args.session !== undefined && { session: args.session }),
    };
    const bridge = await app.chat(program);
    return interruptible(async (interrupt) => {
      const isForPrograms = args.json || args.jsonl;
      const isLive = config.terminal.stdout && !isForPrograms;
      if (isLive) out.note(out.style.dim(toolsLine(!args.noTools)));
      const view = createChatView({ ...out, isLive }, out.drawn);
      const notices: string[] = [];
      let opened: ChatRecord | undefined;
      let code = 0;
      const take = (said: Said): void => {
        if (args.jsonl) {
          const version = said.kind === "opened" ? { schemaVersion: SCHEMA_VERSION } : {};
          out.jsonLine({ ...version, ...chatSend.toJson(said, app) });
        }
        if (said.kind === "opened") {
          opened = said.chat;
          if (said.isHere) return;
          notices.push(elsewhereLine(said.chat, isDemo));
          if (!isForPrograms) out.note(elsewhereLine(said.chat, isDemo));
          return;
        }
        if (said.kind === "notice" && !said.isError) notices.push(said.text);
        if (!isForPrograms) view.show(said);
        if (said.kind !== "finished") return;
        view.end();
        const id = opened?.id ?? "";
        if (said.state === "failed") {
          const label = bridge.agents().find(({ source }) => source === opened?.source)?.label;
          const failure = failed(
            label ?? "The program",
            id,
            said.reason,
            said.answer !== "" || (opened && hasAnswer(opened)),
          );
          // The line that says so has been printed.
          if (!args.jsonl) throw failure;
          code = failure.exitCode;
        }
        if (args.json)
          out.json({
            session: { id },
            cliSession: said.cliSession ?? null,
            imprecise: said.isImprecise,
            state: said.state,
            answer: said.answer,
            usage: said.usage,
            notices,
          });
        if (said.state === "cancelled") code = interrupt.code ?? 1;
      };
      const { signal } = interrupt;
      await chatSend.run({ ...app, chat: async () => bridge }, input, take, { signal });
      return code;
    });
  },
});

/** The program that was named by its path, and whose it is. */
function programOf({
  copilot,
  claude,
}: {
  readonly copilot: string | undefined;
  readonly claude: string | undefined;
}): { readonly agent?: string; readonly program?: string } {
  if (copilot !== undefined && claude !== undefined)
    throw new AppError("usage", "--copilot and --claude exclude each other", "Use one of them");
  if (copilot !== undefined) return { agent: "copilot-cli", program: copilot };
  return claude === undefined ? {} : { agent: "claude-code", program: claude };
}

/** A conversation in which nothing was answered is not promised to be there: the program may have nothing of it. */
const failed = (label: string, id: string, reason = "no reason given", isAnswered = false): AppError =>
  new AppError(
    "program-failed",
    `${label} did not answer: ${reason}`,
    isAnswered
      ? { say: "Your message is kept; continue with", remedy: { action: "chat", session: shortId(id) } }
      : "Nothing was answered yet; send the message again once that is fixed",
  );

function answerShape(z: Zod) {
  return z.object({
    session: z.object({ id: z.string() }).describe("the conversation, for the next `chat`"),
    cliSession: z.string().nullable().describe("the program's own session of the conversation, or null"),
    imprecise: z.boolean().describe("true when that session had to be guessed"),
    state: z.enum(["whole", "cancelled"]),
    answer: z.string().describe("the text of the answer"),
    usage: usage(z).describe("as far as the program reports them"),
    notices: z.array(z.string()).describe("what had to be done to continue, in words"),
  });
}
