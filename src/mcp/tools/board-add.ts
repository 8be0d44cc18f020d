/** `board_add`: something worth knowing is written down. */

import { printed } from "../../model/text/printed.ts";
import { shellLine } from "../../model/text/shell-words.ts";
import { boardAdd } from "../../operations/board.ts";
import { say } from "../answer.ts";
import { defineTool } from "../tool.ts";

export default defineTool({
  name: "board_add",
  title: "Write to the context board",
  description:
    "Add a short text that is worth knowing to the context board of a repository: a convention, a decision, a command that works. Texts with secrets are refused. It can be undone.",
  kind: "change",
  operations: [boardAdd],
  input: (z) => {
    const { repository, branch, name, content, description } = boardAdd.input(z).shape;
    return z.strictObject({ repo: repository, branch, name, content, description });
  },
  async run({ repo, ...input }, { ask }) {
    const { operation } = await ask("board-add", {
      ...input,
      source: "agent",
      ...(repo !== undefined && { repository: repo }),
    });
    return say(`Added. To undo it: ${shellLine`rethread undo ${printed(operation)}`}`);
  },
});
