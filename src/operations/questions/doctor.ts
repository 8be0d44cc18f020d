/** What is wrong in the agents' homes? */
import { toDiagnosisJson } from "../../present/json/answers.ts";
import { defineOperation, type Zod } from "../operation.ts";
import { sources } from "../schemas/inputs.ts";
import { problemFields } from "../schemas/problem.ts";
import { countFields } from "../schemas/session.ts";

export const findings = (z: Zod) =>
  z.array(
    z.object({
      ...problemFields(z),
      severity: z.enum(["damage", "trouble", "oddity"]),
      title: z.string().nullable(),
      producer: z.string().nullable(),
    }),
  );

export const diagnosisFields = (z: Zod) => ({
  problems: findings(z).describe("worst first"),
  ...countFields(z, "how many were read"),
  workspaces: z.array(
    z.object({
      workspace: z.string(),
      ...countFields(z),
      problems: z
        .record(z.string(), z.int())
        .describe("by their codes, how many sessions have such a problem"),
    }),
  ),
});

export const doctor = defineOperation({
  name: "doctor",
  kind: "question",
  summary: "Report what is wrong with sessions and how to fix it",
  input: (z) => z.strictObject({ sources: sources(z).exactOptional() }),
  output: (z) => z.object(diagnosisFields(z)),
  run: (app, input, call = {}) => app.doctor(input, call),
  toJson: toDiagnosisJson,
});
