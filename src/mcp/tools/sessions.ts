/** `sessions`: which there are. */

import { withoutCutWords } from "../../model/text/cut-words.ts";
import { list } from "../../operations/questions/list.ts";
import { callOf, cite } from "../citation.ts";
import { filterFields, largerThan, toFilters } from "../inputs.ts";
import { fitItems } from "../items.ts";
import { defineTool, type Told } from "../tool.ts";

type Session = Told<"list">["sessions"][number];

/** No more fit into any budget. */
const MOST = 500;

export default defineTool({
  name: "sessions",
  title: "List past sessions",
  description:
    "List past sessions of coding agents, most recently active first, with repository, branch, folder and number of turns. Use it for what was worked on lately; brief tells what a session is about.",
  kind: "question",
  operations: [list],
  input: (z) => {
    const { text } = list.input(z).shape;
    return z.strictObject({ ...filterFields(z), text });
  },
  async run(input, { ask, now, budget }) {
    const { text } = input;
    // A session takes some 30 tokens at least.
    const limit = Math.min(MOST, Math.ceil(budget / 30));
    const { sessions, total, next } = await ask("list", {
      ...toFilters(input, now),
      ...(text !== undefined && { text }),
      limit,
      owners: false,
    });
    if (sessions.length === 0) return { head: "No session matches." };
    const items = sessions.map((session) => ({ forms: formsOf(session) }));
    return {
      head: `${total} ${total === 1 ? "session" : "sessions"}, most recently active first; each is cited with its last turn.`,
      body(room) {
        const { text: told, shown } = fitItems(items, room);
        const isCut = shown < sessions.length || next !== null;
        return {
          text: told,
          cut: isCut
            ? [
                `Cut: ${shown} of ${total} ${shown === 1 ? "is" : "are"} shown. To get the others: name repo, since or until, or ${callOf("sessions", { ...input, budget: largerThan(budget) })}`,
              ]
            : [],
        };
      },
    };
  },
});

function formsOf(session: Session): [string, ...string[]] {
  const { title, repository, branch, workspace, turns, updatedAt, vanishedAt } = session;
  const head = `${cite(session, turns === 0 ? null : turns - 1, updatedAt)} "${withoutCutWords(title)}"`;
  const place = [repository ?? "", branch ? `branch ${branch}` : ""].filter((part) => part !== "").join(", ");
  const facts = [
    place,
    workspace ? `in ${workspace}` : "",
    `${turns} ${turns === 1 ? "turn" : "turns"}`,
    vanishedAt ? "its files are gone" : "",
  ];
  return [
    `${head}\n${facts.filter((fact) => fact !== "").join(" · ")}`,
    place ? `${head} ${place}` : head,
    head,
  ];
}
