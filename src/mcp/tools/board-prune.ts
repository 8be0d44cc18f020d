/** `board_prune`: shows what would be removed from the board, and removes it when asked again. */
import { AppError } from "../../model/errors.ts";
import { printed } from "../../model/text/printed.ts";
import { shellLine } from "../../model/text/shell-words.ts";
import { boardPrune } from "../../operations/reports/board-upkeep.ts";
import { callOf } from "../citation.ts";
import { fitItems } from "../items.ts";
import { defineTool } from "../tool.ts";

export default defineTool({
  name: "board_prune",
  title: "Remove items from the context board",
  description:
    "Remove items of a repository's context board: by name, or those that nobody has read. Without apply it only lists what would be removed; with apply true it removes that, which can be undone.",
  kind: "change",
  operations: [boardPrune],
  input: (z) => {
    const { repository, branch, name, unread } = boardPrune.input(z).shape;
    return z.strictObject({
      repo: repository,
      branch,
      name,
      unread,
      apply: z.boolean().exactOptional().describe("true removes them; else they are only listed"),
    });
  },
  async run({ repo, apply = false, ...input }, { ask }) {
    if (input.name === undefined && input.unread !== true)
      throw new AppError(
        "usage",
        "Nothing says which items are to be removed",
        "Give name, or unread as true",
      );
    const { operation, removed } = await ask("board-prune", {
      ...input,
      dryRun: !apply,
      ...(repo !== undefined && { repository: repo }),
    });
    if (removed.length === 0) return { head: "No item of ours matches; nothing is removed." };
    const items = removed.map(({ name, repository, branch }) => ({
      forms: [`${name} (${repository}, ${branch === "*" ? "every branch" : `branch ${branch}`})`] as [string],
    }));
    return {
      head:
        apply && operation !== null
          ? `Removed ${removed.length}. To undo it: ${shellLine`rethread undo ${printed(operation)}`}`
          : `Would remove ${removed.length}. To do it: ${callOf("board_prune", { ...input, ...(repo !== undefined && { repo }), apply: true })}`,
      body(room) {
        const { text, shown } = fitItems(items, room);
        return {
          text,
          cut:
            shown < items.length
              ? [`Cut: ${shown} of ${items.length} names ${shown === 1 ? "is" : "are"} shown.`]
              : [],
        };
      },
    };
  },
});
