/** Addresses that answer questions about the sessions that the caller may see, in the shapes that they have at home. */
import type * as zod from "zod";
import { createHubQuestions, type HubPlace, type HubQuestions } from "../../app/hub/questions.ts";
import type { Schema, Zod } from "../../operations/operation.ts";
import { changedFiles } from "../../operations/questions/changed-files.ts";
import { context } from "../../operations/questions/context.ts";
import { find } from "../../operations/questions/find.ts";
import { list } from "../../operations/questions/list.ts";
import { outline } from "../../operations/questions/outline.ts";
import { record } from "../../operations/questions/record.ts";
import { ENOUGH_HITS, search } from "../../operations/questions/search.ts";
import { schema, sql } from "../../operations/questions/sql.ts";
import { STATS_BY, stats, statsBy } from "../../operations/questions/stats.ts";
import { turns } from "../../operations/questions/turns.ts";
import { chronicleStandup } from "../../operations/reports/chronicle-standup.ts";
import {
  hubFieldsOf,
  ON_HUB,
  toHubBlameJson,
  toHubFilesJson,
  toHubListJson,
  toHubSearchJson,
} from "../../present/json/hub.ts";
import { withCount } from "../../present/json/shapes.ts";
import { answerPage, fieldsOf, type InputRoute, operationInput, toPaged } from "../operation-endpoint.ts";
import type { HubEndpoint, HubParts } from "./endpoint.ts";
import { hubImageEndpoint } from "./image-endpoint.ts";
import { blameAnswer, filesAnswer, hubFields, personFields } from "./question-schemas.ts";

type Fields = Readonly<Record<string, zod.ZodType>>;
type Json = Record<string, unknown>;

interface Question {
  readonly route: InputRoute & { readonly isPaged?: true };
  readonly name: string;
  readonly summary: string;
  readonly input: Schema;
  readonly output: Schema;
  run(ask: HubQuestions, input: never, signal: AbortSignal): Promise<object>;
}

const FILTERS = { source: "sources", repo: "repository", person: "people" };

/** Of an operation's input, these; with more that only a hub knows. */
const some =
  (from: Schema, names: readonly string[], more: (z: Zod) => Fields = () => ({})): Schema =>
  (z) => {
    const fields = Object.entries(fieldsOf(z, from(z))).filter(([name]) => names.includes(name));
    return z.strictObject({ ...Object.fromEntries(fields), ...more(z) });
  };

const PLACE = ["sources", "workspace", "repository", "branch", "since", "until", "model", "exact"];
const PAGE = ["facets", "limit", "sort", "cursor"];

/** The reference that a session made or named, as `pr:421`. */
const reference = (z: Zod) => ({
  ref: z
    .string()
    .regex(/^(commit|pr|issue):.+$/)
    .exactOptional()
    .describe("only sessions with this commit, pull request or issue: `commit:1a2b`, `pr:421`, `issue:7`"),
});

function toPlace({ ref, ...place }: Omit<HubPlace, "ref"> & { readonly ref?: string }): HubPlace {
  const [, type, value = ""] = /^(commit|pr|issue):(.+)$/.exec(ref ?? "") ?? [];
  return type === undefined ? place : { ...place, ref: { type: type as "commit" | "pr" | "issue", value } };
}

interface Named {
  readonly session: string;
  readonly person?: string;
}

/** Who has a session of that id, where several do. */
const whose = (z: Zod) => ({
  person: z
    .string()
    .max(200)
    .exactOptional()
    .describe("whose session, where several people have one of that id"),
});

type Page = Parameters<HubQuestions["list"]>[1];
type Search = Omit<Parameters<HubQuestions["search"]>[0], "place" | "limit"> & { readonly limit?: number };

const QUESTIONS: readonly Question[] = [
  {
    route: { method: "GET", path: "/api/sessions", names: { ...FILTERS, q: "text" }, isPaged: true },
    ...{ name: "list", summary: list.summary },
    input: some(list.input, [...PLACE, ...PAGE, "text", "problems", "copies"], personFields),
    output: (z) => hubFields.ofList(z, list.output(z)),
    async run(ask, { limit, sort, cursor, facets, ...place }: HubPlace & Page) {
      const page = {
        ...(limit !== undefined && { limit }),
        ...(sort !== undefined && { sort }),
        ...(cursor !== undefined && { cursor }),
        ...(facets && { facets }),
      };
      return toHubListJson(await ask.list(place, page));
    },
  },
  {
    route: { method: "GET", path: "/api/sessions/{session}" },
    ...{ name: "outline", summary: outline.summary },
    input: some(outline.input, ["session"], whose),
    output: (z) => hubFields.ofSession(z, outline.output(z)),
    async run(ask, named: Named) {
      const answer = await ask.outline(named);
      const json = outline.toJson(answer, ON_HUB);
      return { ...json, session: { ...json.session, ...hubFieldsOf(answer.session) } };
    },
  },
  {
    route: { method: "GET", path: "/api/sessions/{session}/turns" },
    ...{ name: "turns", summary: turns.summary },
    input: some(turns.input, ["session", "from", "to", "textLimit"], whose),
    output: turns.output,
    run: async (ask, { session, person, ...request }: Named & Parameters<HubQuestions["turns"]>[1]) =>
      turns.toJson(await ask.turns(toNamed(session, person), request), ON_HUB),
  },
  {
    route: { method: "GET", path: "/api/sessions/{session}/context" },
    ...{ name: "context", summary: context.summary },
    input: some(context.input, ["session"], whose),
    output: (z) => hubFields.ofSession(z, context.output(z)),
    async run(ask, named: Named) {
      const answer = await ask.context(named);
      const json = context.toJson(answer, ON_HUB);
      return { ...json, session: { ...json.session, ...hubFieldsOf(answer.session) } };
    },
  },
  {
    route: { method: "GET", path: "/api/sessions/{session}/find", names: { q: "text" } },
    ...{ name: "find", summary: find.summary },
    input: some(find.input, ["session", "text", "limit"], whose),
    output: find.output,
    run: async (ask, { session, person, ...request }: Named & Parameters<HubQuestions["find"]>[1]) =>
      find.toJson(await ask.find(toNamed(session, person), request), ON_HUB),
  },
  {
    route: { method: "GET", path: "/api/sessions/{session}/records/{line}" },
    ...{ name: "record", summary: record.summary },
    input: some(record.input, ["session", "line", "file"], whose),
    output: record.output,
    run: async (ask, { session, person, ...request }: Named & Parameters<HubQuestions["record"]>[1]) =>
      record.toJson(await ask.record(toNamed(session, person), request), ON_HUB),
  },
  {
    route: { method: "GET", path: "/api/sessions/{session}/files" },
    ...{ name: "changed-files", summary: changedFiles.summary },
    input: some(changedFiles.input, ["session"], whose),
    output: changedFiles.output,
    run: async (ask, named: Named) => changedFiles.toJson([...(await ask.changedFiles(named))], ON_HUB),
  },
  {
    route: { method: "GET", path: "/api/search", names: { ...FILTERS, q: "text" }, isPaged: true },
    ...{ name: "search", summary: search.summary },
    input: some(search.input, [...PLACE, ...PAGE, "text", "role", "file", "tool"], (z) => ({
      ...personFields(z),
      ...reference(z),
    })),
    output: (z) => hubFields.ofSearch(z, search.output(z)),
    async run(ask, { text, role, limit = ENOUGH_HITS, sort, cursor, facets, ...place }: HubPlace & Search) {
      const request = {
        ...{ text, limit },
        ...(role !== undefined && { role }),
        ...(sort !== undefined && { sort }),
        ...(cursor !== undefined && { cursor }),
        ...(facets && { facets }),
      };
      return toHubSearchJson(await ask.search({ ...request, place: toPlace(place as never) }));
    },
  },
  {
    route: { method: "POST", path: "/api/sql" },
    ...{ name: "sql", summary: "Run one read-only SQL query on what you may see" },
    input: some(sql.input, ["sql", "limit", "timeoutMs"]),
    output: sql.output,
    run: async (ask, query: Parameters<HubQuestions["sql"]>[0], signal) =>
      sql.toJson(await ask.sql({ ...query, signal }), ON_HUB),
  },
  {
    route: { method: "GET", path: "/api/schema" },
    ...{ name: "schema", summary: "Describe the views and tables that SQL may ask" },
    ...{ input: schema.input, output: schema.output },
    run: async (ask) => schema.toJson(await ask.schema(), ON_HUB),
  },
  {
    route: { method: "GET", path: "/api/stats", names: FILTERS },
    ...{ name: "stats", summary: stats.summary },
    input: some(stats.input, PLACE, personFields),
    output: (z) => hubFields.ofStats(z, stats.output(z)),
    async run(ask, place: HubPlace) {
      const answer = await ask.stats(place);
      return {
        ...stats.toJson(answer, ON_HUB),
        people: answer.people.map(withCount),
        unreachable: answer.unreachable ?? [],
      };
    },
  },
  {
    route: { method: "GET", path: "/api/stats/{by}", names: FILTERS },
    ...{
      name: "stats-by",
      summary: "Count them by day, week, month, repository, source, model, tool, file or person",
    },
    input: some(statsBy.input, [...PLACE, "limit"], (z) => ({
      ...personFields(z),
      by: z.enum([...STATS_BY, "person"]),
    })),
    output: (z) => hubFields.ofStatsBy(z, statsBy.output(z)),
    async run(
      ask,
      { by, limit, ...place }: HubPlace & { by: Parameters<HubQuestions["statsBy"]>[1]; limit?: number },
    ) {
      const answer = await ask.statsBy(place, by, limit);
      return { ...statsBy.toJson(answer as never, ON_HUB), by, unreachable: answer.unreachable ?? [] };
    },
  },
  {
    route: { method: "GET", path: "/api/chronicle/standup", names: FILTERS },
    ...{
      name: "chronicle-standup",
      summary: "Report what the team worked on, by repository and branch, and what was left open",
    },
    input: some(chronicleStandup.input, PLACE, personFields),
    output: (z) => hubFields.ofStandup(z, chronicleStandup.output(z)),
    async run(ask, place: HubPlace) {
      const answer = await ask.standup(place);
      return { ...chronicleStandup.toJson(answer, ON_HUB), unreachable: answer.unreachable ?? [] };
    },
  },
  {
    route: { method: "GET", path: "/api/files", names: { q: "text", repo: "repository" } },
    ...{ name: "files", summary: "List the files of repositories that sessions changed, the latest first" },
    input: (z) =>
      z.strictObject({
        repository: z.string().max(500).exactOptional().describe("only of this repository"),
        text: z.string().max(1000).exactOptional().describe("only paths that contain this, in any case"),
        limit: z.int().min(1).max(1000).exactOptional().describe("at most this many (default: 200)"),
      }),
    output: filesAnswer,
    run: async (ask, input: Parameters<HubQuestions["files"]>[0]) => toHubFilesJson(await ask.files(input)),
  },
  {
    route: { method: "GET", path: "/api/blame", names: { repo: "repository" } },
    ...{
      name: "blame",
      summary: "Tell who wrote each line of a file, as far as recorded changes tell its text",
    },
    input: (z) =>
      z.strictObject({
        repository: z.string().min(1).max(500),
        file: z.string().min(1).max(4096).describe("its path in the repository, as `files` has it"),
      }),
    output: blameAnswer,
    run: async (ask, input: Parameters<HubQuestions["blame"]>[0]) => toHubBlameJson(await ask.blame(input)),
  },
];

const toNamed = (session: string, person: string | undefined): Named => ({
  session,
  ...(person !== undefined && { person }),
});

/** What a server keeps open from one question to the next. */
export function createAsking(): (parts: HubParts) => ReturnType<typeof createHubQuestions> {
  const known = new WeakMap<HubParts["hub"], ReturnType<typeof createHubQuestions>>();
  return ({ hub }) => {
    const questions = known.get(hub) ?? createHubQuestions(hub.db, () => new Date());
    known.set(hub, questions);
    return questions;
  };
}

export function questionEndpoints(z: Zod): readonly HubEndpoint[] {
  const asking = createAsking();
  const questions = QUESTIONS.map(({ route, name, summary, input, output, run }): HubEndpoint => {
    const { read, ...takes } = operationInput(z, route, { name, input });
    return {
      ...{ method: route.method, path: route.path, summary, needs: "read" },
      ...takes,
      output: (zz) => toPaged(zz, route, output(zz)),
      async answer(request, parts) {
        const answer = await run(
          asking(parts)(request.caller.who),
          (await read(request)) as never,
          request.signal,
        );
        return answerPage(route, answer as Json);
      },
    };
  });
  return [...questions, hubImageEndpoint(z, asking)];
}
