/** `board_get`: what is worth knowing about a repository. */
import { boardGet } from "../../operations/board.ts";
import { callOf } from "../citation.ts";
import { largerThan } from "../inputs.ts";
import { fitItems } from "../items.ts";
import { defineTool, type Told } from "../tool.ts";

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
      head: `${items.length} ${items.length === 1 ? "item" : "items"} of the context board.`,
      body(room) {
        const { text, shown, shortened } = fitItems(forms, room);
        const isCut = shown < items.length || shortened.length > 0;
        return {
          text,
          cut: isCut
            ? [
                `Cut: ${shown} of ${items.length} items are shown, ${shortened.length} of them shortened. To get the rest: name one, or ${callOf("board_get", { ...input, budget: largerThan(budget) })}`,
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
}: Item): [string, ...string[]] {
  const head = `${name} (${repository}${branch === "*" ? "" : `, branch ${branch}`}; by ${source}, ${updatedAt})`;
  const about = description ? `${head}\n${description}` : head;
  return [`${about}\n${content}`, about, head];
}
