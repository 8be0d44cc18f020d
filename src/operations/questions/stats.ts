/** How much was done, when, where and with what? */
import type { Stats, StatsSum } from "../../app/contract.ts";
import { withCount } from "../../present/json/shapes.ts";
import { defineOperation, type Zod } from "../operation.ts";
import { limit, moment, placeFields } from "../schemas/inputs.ts";
import { countFields } from "../schemas/session.ts";

const fields = (z: Zod) => ({
  ...placeFields(z),
  since: moment(z).exactOptional().describe("what was done since then"),
  until: moment(z).exactOptional().describe("what was done until then"),
});

const measures = (z: Zod) => ({
  ...countFields(z),
  turns: z.int(),
  toolCalls: z.int(),
  failedCalls: z.int(),
  files: z.int(),
  modelCalls: z.int(),
  inputTokens: z.int().describe("with what came from a cache"),
  cachedTokens: z.int(),
  outputTokens: z.int(),
});

const sum = (z: Zod) => ({
  totals: z.object(measures(z)),
  unmetered: z.array(z.string()).describe("sources whose sessions record no tokens"),
  cost: z
    .object({
      estimated: z.literal(true),
      amount: z.number(),
      currency: z.string(),
      date: z.string().describe("of the table of prices"),
      unpriced: z.array(z.string()).describe("models that are not in the amount, for want of a price"),
    })
    .nullable()
    .describe("from the setting `prices`; null when no model has a price there"),
});

const share = (z: Zod) =>
  z.object({ key: z.string().nullable(), ...measures(z) }).meta({ likeField: "totals", adds: ["key"] });

const modelShare = (z: Zod) =>
  z.object({
    model: z.string().describe("one name for all spellings"),
    names: z.array(z.string()).describe("as agents spell it"),
    ...countFields(z),
    modelCalls: z.int(),
    inputTokens: z.int(),
    cachedTokens: z.int(),
    cacheWrittenTokens: z.int(),
    outputTokens: z.int(),
    cost: z.number().nullable().describe("estimated; null when a price is missing"),
  });

const toolShare = (z: Zod) =>
  z.object({
    tool: z.string().describe("the most common spelling"),
    names: z.array(z.string()).describe("as agents spell it"),
    ...countFields(z),
    toolCalls: z.int(),
    failedCalls: z.int(),
  });

const fileShare = (z: Zod) =>
  z.object({
    path: z.string(),
    ...countFields(z),
    changedIn: z.int().describe("sessions that did not only read it"),
    lastAt: z.string(),
  });

const toCostJson = (cost: StatsSum["cost"]) =>
  cost ? { estimated: true as const, ...cost, amount: rounded(cost.amount) } : null;
/** To millionths: what sums of fractions add behind that is noise. */
const rounded = (amount: number): number => Math.round(amount * 1e6) / 1e6;
const toModelJson = ({ cost, ...share }: Stats["models"][number]) => ({
  ...withCount(share),
  cost: cost === undefined ? null : rounded(cost),
});

export const stats = defineOperation({
  name: "stats",
  kind: "question",
  summary: "Count sessions, turns, tool calls, files and tokens",
  input: (z) => z.strictObject(fields(z)),
  output: (z) =>
    z.object({
      ...sum(z),
      days: z.array(share(z)).describe("in order, without idle ones"),
      repositories: z.array(share(z)),
      sources: z.array(share(z)),
      models: z.array(modelShare(z)),
      tools: z.array(toolShare(z)),
      files: z.array(fileShare(z)),
    }),
  run: (app, input, call = {}) => app.stats(input, call),
  toJson: (answer) => ({
    ...answer,
    cost: toCostJson(answer.cost),
    totals: withCount(answer.totals),
    days: answer.days.map(withCount),
    repositories: answer.repositories.map(withCount),
    sources: answer.sources.map(withCount),
    models: answer.models.map(toModelJson),
    tools: answer.tools.map(withCount),
    files: answer.files.map(withCount),
  }),
});

export const STATS_BY = ["day", "week", "month", "repository", "source", "model", "tool", "file"] as const;

export const statsBy = defineOperation({
  name: "stats-by",
  kind: "question",
  summary: "Count them by day, week, month, repository, source, model, tool or file",
  input: (z) => z.strictObject({ by: z.enum(STATS_BY), ...fields(z), limit: limit(z).exactOptional() }),
  output: (z) =>
    z.object({
      by: z.enum(STATS_BY).describe("what was asked"),
      ...sum(z),
      rows: z
        .array(z.union([share(z), modelShare(z), toolShare(z), fileShare(z)]))
        .describe(
          "as `days[]`, `models[]`, `tools[]` or `files[]`, including days, weeks and months without work",
        ),
      total: z.int().describe("how many there are, regardless of the limit"),
    }),
  run: (app, { by, ...input }, call = {}) => app.dividedStats(input, by, call),
  toJson: (answer) => ({
    ...answer,
    cost: toCostJson(answer.cost),
    totals: withCount(answer.totals),
    rows: answer.rows.map((row) => ("model" in row ? toModelJson(row) : withCount(row))),
  }),
});
