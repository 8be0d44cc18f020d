/** `rethread chat`: a conversation with Copilot CLI that outlives every restart. */

import { AppError } from "../../model/errors.ts";
import { shortId } from "../../model/id.ts";
import { shellLine } from "../../model/shell-words.ts";
import { chats } from "../../operations/chats.ts";
import { talk } from "../chat-terminal.ts";
import { createChatView } from "../chat-view.ts";
import { defineCommand } from "../command.ts";
import { interruptible } from "../interrupt.ts";
import { elsewhereLine, printChats } from "../print/chat.ts";
import { IGNORE_LOCK_ARG } from "../writing.ts";

export default defineCommand({
  name: "chat",
  summary: "Talk to Copilot CLI, and go on with the same conversation after any restart",
  about:
    "A conversation is kept in rethread's own folder, beside the program's session. Where the program has lost its session, it is written anew from what is remembered. The COPILOT_ variables reach the program. Its tools run without asking, since nobody can be asked; --no-tools refuses those that need a permission. In a terminal: a line that ends with a backslash goes on in the next, Ctrl-C cancels the answer, and a second Ctrl-C or Ctrl-D leaves.",
  args: {
    session: {
      kind: "positional",
      optional: true,
      help: "a conversation, or a session of Copilot CLI; without one, a new conversation begins in this folder",
    },
    send: { kind: "text", value: "message", help: "send one message, print the answer, and end" },
    list: { kind: "flag", help: "list the conversations, and end" },
    model: { kind: "text", value: "model", help: "the model to ask" },
    workspace: {
      kind: "text",
      value: "folder",
      help: "begin in this folder; or take the conversation there, in a copy of the program's session",
    },
    copilot: {
      kind: "text",
      value: "path",
      help: "the program to talk to, where it is not the copilot on your PATH",
    },
    timeout: {
      kind: "number",
      value: "seconds",
      help: "stop a program that says nothing for so long (default 600)",
    },
    noTools: { kind: "flag", help: "refuse the tools that need a permission, instead of letting them run" },
    ...IGNORE_LOCK_ARG,
    alone: { kind: "flag", help: "let the message stand alone, without what was said before" },
  },
  examples: [
    { command: "rethread chat", why: "a new conversation about this folder" },
    { command: "rethread chat 0b1c2d3e", why: "go on with one" },
    { command: "rethread chat 0b1c2d3e --send 'And the tests?' --json", why: "from a script" },
  ],
  operations: [chats],
  json: {
    session: "`id` of the conversation, for the next `chat`",
    cliSession: "the session in which Copilot CLI holds it, or null",
    imprecise: "true where that session had to be guessed",
    state: "`whole` or `cancelled`",
    answer: "the text of the answer",
    usage:
      "`inputTokens`, `outputTokens`, `premiumRequests`, `apiMs`, as far as the program tells; `premiumRequests` are those of the whole session",
    "notices[]": "what had to be done to go on, in words",
    "chats[]": "with `--list`: `id`, `title`, `workspace`, `cliSession`, `createdAt`, `updatedAt`",
  },
  async run({ args, config, out, openApp }) {
    const app = await openApp();
    if (args.list) {
      const list = await chats.run(app, {});
      if (args.json) out.json(chats.toJson(list, app));
      else for (const line of printChats(list, config.now(), out)) out.line(line);
      return 0;
    }
    const bridge = await app.chat(args.copilot === undefined ? {} : { program: args.copilot });
    const model = args.model === undefined ? {} : { model: args.model };
    const place = args.workspace === undefined ? {} : { workspace: args.workspace };
    const chat =
      args.session === undefined
        ? await bridge.begin({ ...model, ...place })
        : await bridge.open(args.session, place);
    const how = {
      ...model,
      allowsTools: !args.noTools,
      keepsContext: !args.alone,
      ignoreLock: args.ignoreLock,
      ...(args.timeout !== undefined && { silenceMs: args.timeout * 1000 }),
    };
    const elsewhere = (await bridge.isHere(chat)) ? [] : [elsewhereLine(chat)];
    if (args.send === undefined) return talk(bridge, chat, how, { out, config, elsewhere });
    const text = args.send;
    if (text.trim() === "")
      throw new AppError("usage", "There is nothing to send", 'Write a message: --send "…"');
    if (!args.json) for (const line of elsewhere) out.note(line);
    return interruptible(async (interrupt) => {
      const isLive = config.terminal.stdout && !args.json;
      const view = createChatView({ ...out, isLive }, out.drawn);
      const notices: string[] = [...elsewhere];
      for await (const event of bridge.send(chat.id, text, { ...how, signal: interrupt.signal })) {
        if (event.kind === "notice" && !event.isError) notices.push(event.text);
        if (!args.json) view.show(event);
        if (event.kind !== "finished") continue;
        view.end();
        if (event.state === "failed") throw failed(chat.id, event.reason);
        if (args.json)
          out.json({
            session: { id: chat.id },
            cliSession: event.cliSession ?? null,
            imprecise: event.isImprecise,
            state: event.state,
            answer: event.answer,
            usage: event.usage,
            notices,
          });
        if (event.state === "cancelled") return interrupt.code ?? 1;
      }
      return 0;
    });
  },
});

const failed = (id: string, reason = "no reason given"): AppError =>
  new AppError(
    "program-failed",
    `Copilot CLI did not answer: ${reason}`,
    `Your message is kept; go on with: ${shellLine`rethread chat ${shortId(id)}`}`,
  );
