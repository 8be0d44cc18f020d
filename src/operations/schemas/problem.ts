/** Problems as answers have them. */
import { PROBLEM_CODES, type ProblemCode } from "../../model/problem.ts";
import { ACTIONS, type Action } from "../../model/remedy.ts";
import type { Zod } from "../operation.ts";

const CODES = Object.keys(PROBLEM_CODES) as ProblemCode[];
const ACTION_NAMES = Object.keys(ACTIONS) as Action[];

export const remedy = (z: Zod) =>
  z.object({
    action: z.enum(ACTION_NAMES).describe("the command"),
    session: z.string().exactOptional(),
    args: z
      .record(z.string(), z.union([z.string(), z.number(), z.literal(true)]))
      .exactOptional()
      .describe("its options in camelCase"),
    asks: z
      .record(z.string(), z.string())
      .exactOptional()
      .describe("arguments that only the user can choose, and what each one means"),
    demo: z.literal(true).exactOptional(),
  });

export const problemFields = (z: Zod) => ({
  code: z.enum(CODES).describe("see [Problems](#problems)"),
  source: z.string(),
  session: z.string().nullable(),
  path: z.string(),
  line: z.int().nullable(),
  message: z.string(),
  fix: z.string().nullable(),
  remedy: remedy(z).nullable().describe("`fix` as data"),
});

export const problem = (z: Zod) => z.object(problemFields(z));
