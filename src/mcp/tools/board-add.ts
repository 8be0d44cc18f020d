/** `board_add`: shows what would be written down, and writes it when asked again. */

import { printed } from "../../model/text/printed.ts";
import { shellLine } from "../../model/text/shell-words.ts";
import { boardAdd } from "../../operations/reports/board.ts";
import { say } from "../answer.ts";
import { callOf } from "../citation.ts";
import { fitItems } from "../items.ts";
import { defineTool } from "../tool.ts";

export default defineTool({
  name: "board_add",
  title: "Write to the context board",
  description:
    "Add a short text that is worth knowing to the context board of a repository: a convention, a decision, a command that works. Without apply it only shows what would be added, which a person should see; with apply true it adds that, which can be undone. Texts with secrets are refused.",
  kind: "change",
  operations: [boardAdd],
  input: (z) => {
    const { repository, branch, name, content, description } = boardAdd.input(z).shape;
    return z.strictObject({
      repo: repository,
      branch,
      name,
      content,
      description,
      apply: z.boolean().exactOptional().describe("true adds it; else it is only shown"),
    });
  },
  async run({ repo, apply = false, ...input }, { ask }) {
    const { operation, item } = await ask("board-add", {
      ...input,
      source: "agent",
      ...(repo !== undefined && { repository: repo }),
      ...(!apply && { dryRun: true }),
    });
    if (operation !== null)
      return say(`Added. To undo it: ${shellLine`rethread undo ${printed(operation)}`}`);
    const place = `${item.repository}, ${item.branch === "*" ? "every branch" : `branch ${item.branch}`}`;
    const about = `${item.name} (${place})\n${item.description}`;
    const items = [{ forms: [`${about}\n${item.content}`, about] as [string, ...string[]] }];
    return {
      head: `Would add this; nothing is written yet. To do it: ${callOf("board_add", { ...input, ...(repo !== undefined && { repo }), apply: true })}`,
      body(room) {
        const { text, shortened } = fitItems(items, room);
        return { text, cut: shortened.length > 0 ? ["Shortened: it is added as it was sent."] : [] };
      },
    };
  },
});
