/** Copies a session under a new id, whole or reduced. */
import { toPathsJson, toRepairsJson } from "../../present/json/plan.ts";
import { defineOperation, type Zod } from "../operation.ts";
import { sessionName } from "../schemas/inputs.ts";
import {
  checkpointFields,
  copyFields,
  copyPathFields,
  copyRepairFields,
  ledgerFields,
  lockFields,
  plan,
  writerFields,
} from "../schemas/plan.ts";
import { planWith, toKeptPlanJson } from "./planning.ts";

export const reductionFields = (z: Zod) => ({
  tools: z
    .union([
      z.literal("drop"),
      z.strictObject({ oldest: z.number().min(0).max(100).describe("percent of the calls") }),
      z.strictObject({ truncate: z.int().min(0).describe("characters") }),
    ])
    .exactOptional()
    .describe(
      "leave out all tool calls and their results, leave out the oldest, or cut those that are longer than this many characters",
    ),
  dropThinking: z.boolean().exactOptional().describe("leave out the model's thinking"),
  dropOldest: z
    .union([
      z.strictObject({ percent: z.number().min(0).max(100) }),
      z.strictObject({ count: z.int().min(0) }),
    ])
    .exactOptional()
    .describe("leave out the oldest turns; a note at the start says so, and how to read them"),
  budget: z
    .int()
    .min(1)
    .exactOptional()
    .describe("leave out enough to fit this many tokens: bulky results first, then old turns"),
});

export const clone = defineOperation({
  name: "clone",
  kind: "change",
  summary: "Copy a session under a new id; the original is not changed",
  input: (z) =>
    z.strictObject({
      session: sessionName(z),
      to: z
        .string()
        .exactOptional()
        .describe(
          "the workspace folder of the clone, instead of the original's; for VS Code also a .code-workspace file, or the id of a workspace",
        ),
      paths: z
        .enum(["keep", "rewrite"])
        .exactOptional()
        .describe(
          "with `to`: keep all addresses of files as they are, or rewrite all below the old folder (default: rewrite those that exist at the same place below the new folder)",
        ),
      name: z.string().exactOptional().describe(`the clone's name (default: the original's, with "(clone)")`),
      ...reductionFields(z),
      summarize: z
        .boolean()
        .exactOptional()
        .describe("with `dropOldest` or `budget`: replace the turns that are left out by a summary"),
      ...writerFields(z),
      ...lockFields(z),
    }),
  output: (z) =>
    plan(z).extend({
      ...ledgerFields(z),
      ...checkpointFields(z),
      ...copyRepairFields(z),
      ...copyPathFields(z),
      ...copyFields(z),
    }),
  run: (app, { session, ignoreLock = false, ...request }, call) =>
    planWith(app, { ignoreLock }, call, (edit) => edit.planClone(session, request, call)),
  toJson: (made, home) => ({
    ...toKeptPlanJson(made, home),
    ledger: made.ledger ?? null,
    ...toRepairsJson(made),
    ...toPathsJson(made),
    workspace: made.workspace ?? null,
    name: made.name ?? null,
    alreadyFits: made.alreadyFits ?? false,
  }),
});
