/** `apply`: a plan carried out, once. */
import { AppError } from "../../model/errors.ts";
import { printed } from "../../model/text/printed.ts";
import { shellLine } from "../../model/text/shell-words.ts";
import { apply } from "../../operations/changes/apply.ts";
import { applyMigration } from "../../operations/changes/migrate.ts";
import { cutTo } from "../answer.ts";
import { defineTool } from "../tool.ts";

export default defineTool({
  name: "apply",
  title: "Carry out a plan",
  description:
    "Carry out a plan that plan made, by its fingerprint, once. What it replaces is backed up; `rethread undo` with the operation of the answer restores it.",
  kind: "change",
  operations: [apply, applyMigration],
  input: (z) => z.strictObject({ fingerprint: apply.input(z).shape.fingerprint }),
  async run(input, { askAny }) {
    const { operation, ...write } = await askAny("apply", input).catch((error: unknown) => {
      // Which kind of plan it is, only the keepers know.
      if (!(error instanceof AppError && error.code === "plan-not-found")) throw error;
      return askAny("apply-migration", input);
    });
    return {
      head: `Done. To undo it: ${shellLine`rethread undo ${printed(operation)}`}`,
      body({ tokens, count }) {
        const whole = JSON.stringify(write, null, 1);
        const text = cutTo(whole, tokens, count);
        return {
          text,
          cut: text === whole ? [] : ["Cut: the rest of what was done; `rethread history` has all of it."],
        };
      },
    };
  },
});
