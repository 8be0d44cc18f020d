/** `context`: what a model would receive if a session were resumed, the latest messages first. */
import { context } from "../../operations/questions/context.ts";
import { outline } from "../../operations/questions/outline.ts";
import { plural } from "../../present/text/measure.ts";
import { tokenCounter } from "../call-tool.ts";
import { callOf, cite, nameOf } from "../citation.ts";
import { excerpt } from "../excerpt.ts";
import { largerThan } from "../inputs.ts";
import { fitItems } from "../items.ts";
import { defineTool, type Told } from "../tool.ts";

type Message = Told<"context">["messages"][number];

/** Of each message, in characters. */
const LENGTHS = [20_000, 2000, 500, 120] as const;
/** No message is told in fewer tokens. */
const LEAST_OF_MESSAGE = 20;

export default defineTool({
  name: "context",
  title: "What a resumed session sends",
  description:
    "The messages that the model would receive if a session were resumed, and what fills its context, in tokens. Use it to see what an agent still knows, or why a session is too long. The latest messages come first.",
  kind: "question",
  operations: [context, outline],
  input: (z) => z.strictObject({ session: context.input(z).shape.session }),
  async run({ session: name }, { ask, budget }) {
    const { session, messages: raw, shares } = await ask("context", { session: name });
    const { messages, isRecounted } = await recount(raw);
    const tokens = messages.reduce((sum, message) => sum + message.tokens, 0);
    const { turns } = await ask("outline", { session: `${session.source}:${session.id}` });
    const times = new Map(turns.map(({ index, startedAt }) => [index, startedAt]));
    const latest = messages.toReversed();
    const items = latest.slice(0, Math.ceil(budget / LEAST_OF_MESSAGE)).map((message) => {
      const head = `${cite(session, message.turn, times.get(message.turn ?? -1) ?? session.updatedAt)} ${message.role}, ${plural(message.tokens, "token", "tokens")}`;
      const [longest, ...shorter] = LENGTHS.map(
        (length) => `${head}\n${excerpt(textOf(message), [], length)}`,
      );
      return { forms: [longest ?? head, ...shorter] as [string, ...string[]] };
    });
    const shared: readonly { readonly kind: string; readonly tokens: number }[] = isRecounted
      ? messages.map(({ role, tokens: cost }) => ({ kind: role, tokens: cost }))
      : shares;
    const byKind = [...Map.groupBy(shared, ({ kind }) => kind)].map(
      ([kind, own]) => `${kind} ${own.reduce((sum, { tokens: cost }) => sum + cost, 0)}`,
    );
    const parts = byKind.join(", ");
    return {
      head: `On resume the model would receive ${plural(messages.length, "message", "messages")}, ${plural(tokens, "token", "tokens")}.${parts === "" ? "" : ` Of these: ${parts}.`} The latest first:`,
      body(room) {
        const { text, shown, shortened } = fitItems(items, room);
        const key = nameOf(session);
        const oldest = latest.slice(shown).reduce((turn, { turn: own }) => Math.max(turn, own ?? -1), -1);
        return {
          text,
          cut: [
            ...(shown < messages.length
              ? [
                  `Cut: ${messages.length - shown === 1 ? "the oldest message" : `the ${messages.length - shown} oldest messages`}. ${oldest < 0 ? "" : `To read those turns: ${callOf("read", { session: key, from: 0, to: oldest })}`}`.trim(),
                ]
              : []),
            ...(shortened.length > 0
              ? [
                  `Shortened: ${plural(shortened.length, "message", "messages")}. For more: ${callOf("context", { session: key, budget: largerThan(budget) })}`,
                ]
              : []),
          ],
        };
      },
    };
  },
});

/** A secret takes as many tokens as its letters make of it, so what has one is counted without it. */
async function recount(
  messages: readonly Message[],
): Promise<{ readonly messages: readonly Message[]; readonly isRecounted: boolean }> {
  if (!messages.some(hasSecret)) return { messages, isRecounted: false };
  const count = await tokenCounter();
  const counted = messages.map((message) =>
    hasSecret(message)
      ? { ...message, tokens: count(`${message.thinking ?? ""}${textOf(message)}`) }
      : message,
  );
  return { messages: counted, isRecounted: true };
}

const hasSecret = (message: Message): boolean => JSON.stringify(message).includes("[redacted: ");

function textOf({ text, toolCalls, isError }: Message): string {
  const calls = toolCalls.map(({ name, arguments: input }) => `calls ${name} ${JSON.stringify(input)}`);
  return [...(isError ? ["(failed)"] : []), ...(text === "" ? [] : [text]), ...calls].join("\n");
}
