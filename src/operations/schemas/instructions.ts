/** Changes of instruction files as answers have them. */
import type { InstructionLines } from "../../model/plan-facts.ts";
import type { Zod } from "../operation.ts";

export const changes = (z: Zod) =>
  z
    .array(
      z.object({
        path: z.string(),
        repository: z.string().nullable(),
        isNew: z.boolean(),
        lines: z.array(z.string()),
        diff: z.string().describe("unified"),
      }),
    )
    .describe("the instruction files, and what is added to each");

export const toChangesJson = (all: readonly InstructionLines[]) =>
  all.map(({ path, repository, isNew, lines, diff }) => ({
    path,
    repository: repository ?? null,
    isNew,
    lines,
    diff,
  }));
