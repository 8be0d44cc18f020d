/** `read`: some turns of a session. */
import { turns } from "../../operations/questions/turns.ts";
import { callOf, cite, nameOf } from "../citation.ts";
import { largerThan } from "../inputs.ts";
import { fitItems } from "../items.ts";
import { defineTool } from "../tool.ts";
import { READING, type TurnJson, turnText } from "../turn-text.ts";

/** What is read of each tool result, before secrets are taken out and anything is shortened. */
export const READ_OUTPUT = 100_000;
/** No turn is told in fewer tokens, so more turns than this never fit. */
const LEAST_OF_TURN = 40;
const MOST_TURNS = 200;

export default defineTool({
  name: "read",
  title: "Read turns of a session",
  description:
    "Read what was said and done in some turns of a recorded session: prompts, answers, tool calls and their results. Use it after search, where or sessions, with the session and turns that they cite. Turns count from 0; without from and to, it begins with the first.",
  kind: "question",
  operations: [turns],
  input: (z) => {
    const { session, from, to } = turns.input(z).shape;
    return z.strictObject({ session, from, to: to.describe("the last turn, included") });
  },
  async run({ session, from = 0, to }, { ask, budget }) {
    const most = Math.min(MOST_TURNS, Math.max(1, Math.ceil(budget / LEAST_OF_TURN)));
    const last = Math.min(to ?? Number.POSITIVE_INFINITY, from + most - 1);
    // An order that makes no sense is for the operation to refuse.
    const page = await ask("turns", {
      session,
      from,
      to: to !== undefined && to < from ? to : last,
      textLimit: READ_OUTPUT,
    });
    const key = nameOf(page.session);
    if (page.turns.length === 0)
      return {
        head:
          page.total === 0
            ? "This session has no turns."
            : `This session has no turn ${from}: its turns are 0 to ${page.total - 1}.`,
      };
    const wanted = Math.min(to ?? page.total - 1, page.total - 1);
    const items = page.turns.map((turn) => ({ forms: formsOf(page.session, turn) }));
    return {
      head: `${from === wanted ? `Turn ${from}` : `Turns ${from} to ${wanted}`} of ${page.total} in this session.`,
      body(room) {
        const { text, shown, shortened } = fitItems(items, room);
        const next = from + shown;
        return {
          text,
          cut: [
            ...(next <= wanted
              ? [
                  `Cut: ${next === wanted ? `turn ${next}` : `turns ${next} to ${wanted}`}. To get ${next === wanted ? "it" : "them"}: ${callOf("read", { session: key, from: next, to: wanted })}`,
                ]
              : []),
            ...(shortened.length > 0
              ? [
                  `Shortened: ${shortened.length === 1 ? "turn" : "turns"} ${shortened.map((at) => from + at).join(", ")}. For more of one: ${callOf("read", { session: key, from: from + (shortened[0] ?? 0), to: from + (shortened[0] ?? 0), budget: largerThan(budget) })}`,
                ]
              : []),
          ],
        };
      },
    };
  },
});

function formsOf(session: Parameters<typeof cite>[0], turn: TurnJson): [string, ...string[]] {
  const head = cite(session, turn.index, turn.startedAt);
  const [longest, ...shorter] = READING.map((detail) => `${head}\n${turnText(turn, detail)}`);
  return [longest ?? head, ...shorter];
}
