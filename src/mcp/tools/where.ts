/** `where`: the turns that touched a file, have a reference, or saw an error or a text. */

import { withoutCutWords } from "../../model/text/cut-words.ts";
import { where } from "../../operations/questions/where.ts";
import { callOf, cite } from "../citation.ts";
import { excerpt } from "../excerpt.ts";
import { largerThan } from "../inputs.ts";
import { fitItems } from "../items.ts";
import { defineTool, type Told } from "../tool.ts";

type Place = Told<"where">["places"][number];

const MOST = 100;

export default defineTool({
  name: "where",
  title: "Where did that happen",
  description:
    "Find the sessions and turns in which a file was touched, a pull request, issue or commit came up, an error was printed, or a text was written word for word. Give exactly one of file, error, ref and text. Answers places; read has what was said there.",
  kind: "question",
  operations: [where],
  input: (z) => {
    const { file, error, ref, text } = where.input(z).shape;
    return z.strictObject({ file, error, ref, text });
  },
  async run(input, { ask, budget }) {
    const { places, total, partial } = await ask("where", { ...input, limit: MOST });
    if (places.length === 0)
      return { head: "Nothing was found. search finds words that stand apart, other forms and spellings." };
    const items = places.map((place) => ({ forms: formsOf(place) }));
    return {
      head: `${total > places.length ? `More than ${places.length}` : places.length} ${total === 1 ? "place" : "places"}${partial ? "; the text as such is nowhere, these have its words" : ""}.`,
      body(room) {
        const { text, shown, shortened } = fitItems(items, room);
        return {
          text,
          cut: [
            ...(shown < places.length
              ? [
                  `Cut: ${total - shown} more. To get them: ${callOf("where", { ...input, budget: largerThan(budget) })}`,
                ]
              : []),
            ...(shortened.length > 0
              ? ['Shortened. For a whole turn: read {"session":"source:id","from":N,"to":N}']
              : []),
          ],
        };
      },
    };
  },
});

function formsOf({ session, turn, time, found, how, prompt, alsoIn }: Place): [string, ...string[]] {
  const head = cite(session, turn, time);
  const title = `Session "${withoutCutWords(session.title)}"`;
  const also =
    alsoIn.length > 0 ? ` (also in ${alsoIn.length === 1 ? "turn" : "turns"} ${alsoIn.join(", ")})` : "";
  const what = how === "turn" ? withoutCutWords(found) : `${how} ${withoutCutWords(found)}${also}`;
  const asked = prompt === "" ? [] : [`User: ${excerpt(prompt, [], 600)}`];
  return [
    [head, title, what, ...asked].join("\n"),
    [head, what, ...(prompt === "" ? [] : [`User: ${excerpt(prompt, [], 120)}`])].join("\n"),
    [head, excerpt(what, [], 120)].join("\n"),
  ];
}
