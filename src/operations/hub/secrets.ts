/** Secrets in local sessions: finding them, and taking them out. */
import type { SecretScan } from "../../app/secrets/contract.ts";
import { planWith, toKeptPlanJson } from "../changes/planning.ts";
import { defineOperation, type Zod } from "../operation.ts";
import { placeFields, sessionName } from "../schemas/inputs.ts";
import { lockFields, plan } from "../schemas/plan.ts";
import { sessionKey } from "../schemas/session.ts";
import { redactionList } from "../schemas/sync.ts";

export const secretsScan = defineOperation({
  name: "secrets-scan",
  kind: "question",
  summary: "Look for keys, tokens and passwords in local sessions; nothing leaves, and none is shown",
  input: (z) =>
    z.strictObject({
      sessions: z.array(sessionName(z)).exactOptional().describe("only these"),
      ...placeFields(z),
    }),
  output: (z) =>
    z.object({
      findings: z
        .array(
          z.object({
            session: z.object({ source: z.string(), id: z.string(), title: z.string() }),
            turn: z.int().nullable().describe("null for what is in no turn"),
            kind: z.string().describe("such as `aws secret key`"),
            count: z.int().describe("how many different ones"),
            path: z.string().nullable().describe("the file, for what is in no turn"),
          }),
        )
        .describe("by session and turn"),
      scanned: z.int().describe("how many sessions were looked through"),
      leftOut: z
        .array(z.object({ session: sessionKey(z), path: z.string(), why: z.string() }))
        .describe("files that were not looked through, such as databases and pictures"),
    }),
  run: async (app, input, call) => (await app.secrets()).scan(input, call),
  toJson: ({ findings, scanned, leftOut }: SecretScan) => ({
    findings: findings.map(({ session: { source, id, title }, turn, kind, count, path }) => ({
      ...{ session: { source, id, title }, turn: turn ?? null, kind, count, path: path ?? null },
    })),
    scanned,
    leftOut: leftOut.map(({ session: { source, id }, path, why }) => ({
      session: { source, id },
      path,
      why,
    })),
  }),
});

export const scrubbed = (z: Zod) =>
  plan(z).extend({ redactions: redactionList(z).describe("the secrets that go, by kind") });

export const secretsScrub = defineOperation({
  name: "secrets-scrub",
  kind: "change",
  summary: "Put marks in the place of secrets in local sessions; can be undone until it is confirmed",
  input: (z) => z.strictObject({ sessions: z.array(sessionName(z)).min(1), ...lockFields(z) }),
  output: scrubbed,
  run: (app, { sessions, ignoreLock = false }, call) =>
    planWith(app, { ignoreLock }, call, (edit) => edit.planScrub(sessions, call)),
  toJson: (made, home) => ({ ...toKeptPlanJson(made, home), redactions: made.redactions ?? [] }),
});
