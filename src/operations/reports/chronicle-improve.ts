/** What should the instructions of a repository say, judging by what was corrected? And the plan that writes it there. */
import type { Improvements } from "../../app/contract.ts";
import { planWith, toKeptPlanJson } from "../changes/planning.ts";
import { defineOperation, type Zod } from "../operation.ts";
import { changes, toChangesJson } from "../schemas/instructions.ts";
import { plan } from "../schemas/plan.ts";
import { evidence, rangeFields, reportFields, toEvidenceJson } from "../schemas/report.ts";

export const INSTRUCTION_FILES = ["AGENTS.md", ".github/copilot-instructions.md", "CLAUDE.md"] as const;

const improveFields = (z: Zod) => ({
  ...reportFields(z, "90 days"),
  files: z
    .array(z.enum(INSTRUCTION_FILES))
    .exactOptional()
    .describe("only these files (default: those that are there, or else AGENTS.md)"),
  findings: z.array(z.string()).exactOptional().describe("only findings with these ids"),
});

export const chronicleImprove = defineOperation({
  name: "chronicle-improve",
  kind: "question",
  summary: "Propose lines for the instructions of repositories, from where the agent was corrected",
  input: (z) => z.strictObject(improveFields(z)),
  output: (z) =>
    z.object({
      ...rangeFields(z),
      findings: z
        .array(
          z.object({
            id: z.string().describe("the same for the same line of the same repository"),
            kind: z.enum(["correction", "wrong-command", "tests-repeated", "reverted"]),
            repository: z.string().nullable(),
            title: z.string(),
            suggestion: z.string(),
            line: z.string().describe("what to write"),
            evidence: evidence(z),
          }),
        )
        .describe("those that the instructions do not say yet, most evidence first"),
      changes: changes(z),
      notes: z.array(z.string()).describe("what cannot be written, and why"),
    }),
  run: async (app, input, call) => (await app.chronicle()).improve(input, call),
  toJson: ({ findings, changes: made, notes, ...range }: Improvements) => ({
    ...range,
    findings: findings.map(({ id, kind, repository, title, suggestion, line, evidence: seen }) => ({
      id,
      kind,
      repository: repository ?? null,
      title,
      suggestion,
      line,
      evidence: toEvidenceJson(seen),
    })),
    changes: toChangesJson(made),
    notes,
  }),
});

export const improve = defineOperation({
  name: "improve",
  kind: "change",
  summary: "Write proposed lines into the instruction files of repositories",
  input: (z) => z.strictObject(improveFields(z)),
  output: (z) => plan(z).extend({ changes: changes(z) }),
  run: (app, input, call) => planWith(app, {}, call, (edit) => edit.planImprove(input, call)),
  toJson: (made, home) => ({
    ...toKeptPlanJson(made, home),
    changes: toChangesJson(made.instructions ?? []),
  }),
});
