/** `board_get`: what is worth knowing about a repository. */
import { formatKey } from "../../model/values/id.ts";
import { boardGet } from "../../operations/reports/board.ts";
import { plural } from "../../present/text/measure.ts";
import { callOf, shortTime } from "../citation.ts";
import { largerThan } from "../inputs.ts";
import { fitItems } from "../items.ts";
import { defineTool, type Told } from "../tool.ts";

/** Of the turns that an item was made from. */
const MOST_SEEN = 3;

type Item = Told<"board-get">["items"][number];

export default defineTool({
  name: "board_get",
  title: "Read the context board",
  description:
    "Short texts that are worth knowing about a repository: conventions, decisions, commands that work. Without a name, all items of its board; with one, that item. Use it before starting work in a repository.",
  kind: "question",
  operations: [boardGet],
  input: (z) => {
    const { repository, branch, name } = boardGet.input(z).shape;
    return z.strictObject({ repo: repository, branch, name });
  },
  async run(input, { ask, budget }) {
    const { repo, branch, name } = input;
    const { items } = await ask("board-get", {
      ...(repo !== undefined && { repository: repo }),
      ...(branch !== undefined && { branch }),
      ...(name !== undefined && { name }),
    });
    if (items.length === 0) return { head: "The board of this repository is empty." };
    const forms = items.map((item) => ({ forms: formsOf(item) }));
    return {
      head: `${plural(items.length, "item", "items")} of the context board.`,
      body(room) {
        const { text, shown, shortened } = fitItems(forms, room);
        const isCut = shown < items.length || shortened.length > 0;
        return {
          text,
          cut: isCut
            ? [
                `Cut: ${shown} of ${plural(items.length, "item", "items")} ${shown === 1 ? "is" : "are"} shown, ${shortened.length} shortened. To get the rest: name one, or ${callOf("board_get", { ...input, budget: largerThan(budget) })}`,
              ]
            : [],
        };
      },
    };
  },
});

function formsOf({
  name,
  description,
  content,
  repository,
  branch,
  source,
  updatedAt,
  evidence,
}: Item): [string, ...string[]] {
  const place = `${repository}${branch === "*" ? "" : `, branch ${branch}`}`;
  const when = updatedAt === null ? "" : `, ${shortTime(updatedAt)}`;
  const head = `${name} (${place}; by ${source}${when})`;
  const about = description ? `${head}\n${description}` : head;
  const seen = evidence
    .slice(0, MOST_SEEN)
    .map(({ session, turn }) => `${formatKey(session)}${turn === null ? "" : ` turn ${turn}`}`);
  const shown = seen.length === 0 ? "" : `\nseen in ${seen.join(", ")}`;
  return [`${about}\n${content}${shown}`, `${about}${shown}`, about, head];
}
