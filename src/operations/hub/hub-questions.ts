/** Questions that the team's hub answers, in the shapes of our own answers, and marked as such. */
import type * as zod from "zod";
import type { App, Call } from "../../app/contract.ts";
import { AppError } from "../../model/errors.ts";
import { type Described, defineOperation, type Zod } from "../operation.ts";
import { search } from "../questions/search.ts";
import { schema, sql } from "../questions/sql.ts";

/** Where an answer comes from: never mixed with what is here. */
const marked = (z: Zod) => ({
  from: z.literal("hub"),
  hub: z.string().describe("its address"),
});

const searchAnswer = (z: Zod) => {
  const { facets: _, hits, ...fields } = search.output(z).shape;
  return z.object({
    ...marked(z),
    ...fields,
    hits: z.array(
      hits.element.extend({
        person: z.string().describe("whose session it is"),
        hubSession: z.string().describe("the hub's name for the session"),
      }),
    ),
    unreachable: z
      .array(z.string())
      .default([])
      .describe("people whose sessions are missing here, because the server that has them does not answer"),
  });
};

export type HubHits = Described<typeof searchAnswer>;

export const hubSearch = defineOperation({
  name: "hub-search",
  kind: "question",
  summary: "Find turns in what you and your team have pushed to the hub",
  input: (z) => {
    const { tags: _, facets: __, session: ___, exact: ____, ...fields } = search.input(z).shape;
    return z.strictObject({
      ...fields,
      people: z.array(z.string().min(1)).exactOptional().describe("only sessions of these people"),
      team: z.string().min(1).exactOptional().describe("only what is shared with this team"),
    });
  },
  output: searchAnswer,
  async run(app, input, call): Promise<HubHits> {
    const { ref, text, sources, repository, people, since, until, ...rest } = input;
    const fields: readonly (readonly [string, string | number | undefined])[] = [
      ["q", text],
      ["source", sources?.join(",")],
      ["repo", repository],
      ["person", people?.join(",")],
      ["since", since?.toISOString()],
      ["until", until?.toISOString()],
      ["ref", ref && `${ref.type}:${ref.value}`],
      ...Object.entries(rest),
    ];
    const given = fields.flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, `${value}`]],
    );
    const { nextCursor, hits, ...answer } = await ask(app, `/api/search?${new URLSearchParams(given)}`, call);
    return checked(searchAnswer, { ...answer, hits: toHits(hits), next: nextCursor ?? null });
  },
  toJson: (answer) => answer,
});

/** Whose they are stands with the session, or beside it. */
const toHits = (hits: unknown): unknown =>
  Array.isArray(hits)
    ? hits.map((hit: { session?: { person?: unknown; hubSession?: unknown } }) => ({
        person: hit.session?.person,
        hubSession: hit.session?.hubSession,
        ...hit,
      }))
    : hits;

const sqlAnswer = (z: Zod) => {
  const { places: _, ...fields } = sql.output(z).shape;
  return z.object({ ...marked(z), ...fields });
};

export const hubSql = defineOperation({
  name: "hub-sql",
  kind: "question",
  summary: "Run one read-only SQL query on what the hub lets you see",
  input: (z) => {
    const { sql: query, limit, timeoutMs } = sql.input(z).shape;
    return z.strictObject({ sql: query, limit, timeoutMs });
  },
  output: sqlAnswer,
  run: async (app, input, call) => checked(sqlAnswer, await ask(app, "/api/sql", call, input)),
  toJson: (answer) => answer,
});

const schemaAnswer = (z: Zod) => z.object({ ...marked(z), ...schema.output(z).shape });

export const hubSchema = defineOperation({
  name: "hub-schema",
  kind: "question",
  summary: "Say which tables and columns the hub has for queries",
  input: (z) => z.strictObject({}),
  output: schemaAnswer,
  run: async (app, _, call) => checked(schemaAnswer, await ask(app, "/api/schema", call)),
  toJson: (answer) => answer,
});

async function ask(
  app: App,
  path: string,
  call: Call | undefined,
  body?: object,
): Promise<Readonly<Record<string, unknown>>> {
  const { answer, ...from } = await (await app.sync()).ask(path, body, call);
  return { ...answer, ...from };
}

/** What came from another machine is believed only as far as it has the shape that is documented. */
async function checked<T extends zod.ZodType>(shape: (z: Zod) => T, answer: unknown): Promise<zod.output<T>> {
  const parsed = shape(await import("zod")).safeParse(answer);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new AppError(
    "hub-refused",
    `The hub answers in a form that is not known here (${issue?.path.join(".")}: ${issue?.message})`,
    "Use the same version of rethread as the hub's",
  );
}
