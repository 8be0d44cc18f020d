/** Ask the store anything, change nothing. */
import { defineOperation, type Zod } from "../operation.ts";

const table = (z: Zod) => ({ name: z.string(), means: z.string() });

export const sql = defineOperation({
  name: "sql",
  kind: "question",
  summary: "Run one read-only SQL query on the store",
  input: (z) =>
    z.strictObject({
      sql: z.string().min(1).describe("one SELECT"),
      limit: z
        .int()
        .min(1)
        .max(100_000)
        .exactOptional()
        .describe("return at most this many rows (default: 10000)"),
      places: z.boolean().exactOptional().describe("true tells which session and turn each row is about"),
      timeoutMs: z.int().min(1).exactOptional().describe("stop the query after this long (30000)"),
    }),
  output: (z) =>
    z.object({
      columns: z.array(z.string()).describe("their names"),
      rows: z
        .array(z.array(z.union([z.string(), z.number(), z.null()])))
        .describe("their values; blobs as hex, integers beyond 2^53 as text"),
      truncated: z.boolean().describe("true when there were more rows than the limit"),
      places: z
        .object({
          rows: z.array(
            z
              .object({
                source: z.string(),
                id: z.string(),
                turn: z.int().nullable(),
                time: z.string().nullable(),
              })
              .nullable(),
          ),
        })
        .exactOptional()
        .describe("only when asked for: the session and turn of each row, null for rows that name none"),
    }),
  run: (app, input, call = {}) => app.sql(input, call),
  toJson: ({ columns, rows, truncated, places }) => ({
    columns,
    rows,
    truncated,
    ...(places && {
      places: {
        rows: places.map(
          (place) => place && { ...place, turn: place.turn ?? null, time: place.time ?? null },
        ),
      },
    }),
  }),
});

export const schema = defineOperation({
  name: "schema",
  kind: "question",
  summary: "Describe the views and tables of the store",
  input: (z) => z.strictObject({}),
  output: (z) =>
    z.object({
      views: z.array(
        z.object({ ...table(z), columns: z.array(z.object({ name: z.string(), means: z.string() })) }),
      ),
      tables: z.array(z.object({ ...table(z), columns: z.array(z.string()).describe("names") })),
    }),
  run: (app, _, call) => app.schema(call),
  toJson: (answer) => ({ ...answer }),
});
