/** Problems as answers have them. */
import { PROBLEM_CODES, type ProblemCode } from "../../model/problem.ts";
import type { Zod } from "../operation.ts";

const CODES = Object.keys(PROBLEM_CODES) as ProblemCode[];

export const problemFields = (z: Zod) => ({
  code: z.enum(CODES).describe("see [Problems](#problems)"),
  source: z.string(),
  session: z.string().nullable(),
  path: z.string(),
  line: z.int().nullable(),
  message: z.string(),
  fix: z.string().nullable(),
});

export const problem = (z: Zod) => z.object(problemFields(z));
