/** Which habits cost time or tokens? */
import type { App, Tips } from "../../app/contract.ts";
import { inDemo } from "../../model/remedy.ts";
import { defineOperation } from "../operation.ts";
import { remedy } from "../schemas/problem.ts";
import { evidence, rangeFields, reportFields, toEvidenceJson } from "../schemas/report.ts";

export const TIP_KINDS = [
  "context-filled",
  "command-keeps-failing",
  "wrong-command-first",
  "tool-keeps-failing",
  "compaction-lost-task",
  "compacted-often",
  "correction-again",
  "no-instructions",
  "question-again",
  "left-open",
  "file-read-again",
  "file-read-everywhere",
  "nudged",
  "pasted-output",
  "vague-start",
  "large-model",
] as const satisfies readonly Tips["findings"][number]["kind"][];

export const chronicleTips = defineOperation({
  name: "chronicle-tips",
  kind: "question",
  summary: "Find patterns in one's own usage that cost time or tokens, with evidence and a suggestion",
  input: (z) => z.strictObject(reportFields(z, "90 days")),
  output: (z) =>
    z.object({
      ...rangeFields(z),
      findings: z
        .array(
          z.object({
            kind: z.enum(TIP_KINDS),
            title: z.string().describe("what was found, in one sentence"),
            suggestion: z.string(),
            evidence: evidence(z),
            remedy: remedy(z).nullable().describe("the next step, where rethread can take it"),
          }),
        )
        .describe("what costs most first"),
    }),
  run: async (app, input, call) => (await app.chronicle()).tips(input, call),
  toJson: (tips: Tips, home: Pick<App, "demo">) => ({
    ...tips,
    findings: tips.findings.map(({ kind, title, suggestion, evidence: seen, remedy: next }) => ({
      kind,
      title,
      suggestion,
      evidence: toEvidenceJson(seen),
      remedy: next ? (home.demo === undefined ? next : inDemo(next)) : null,
    })),
  }),
});
