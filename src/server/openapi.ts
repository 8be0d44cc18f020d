/** The OpenAPI document of the API, from the endpoints and the schemas of their operations. */

import type * as zod from "zod";
import { ERROR_CODES } from "../model/errors.ts";
import { memberOf, setMember } from "../model/values/member.ts";
import type { Schema, Zod } from "../operations/operation.ts";
import { remedy } from "../operations/schemas/problem.ts";
import { type Endpoint, SCHEMA_VERSION } from "./endpoint.ts";
import { shared } from "./shared-schemas.ts";

type Json = Record<string, unknown>;

/** What a document says of an endpoint. */
export interface DescribedEndpoint
  extends Pick<
      Endpoint,
      "method" | "path" | "summary" | "isOpen" | "parameters" | "body" | "mostBytes" | "output" | "media"
    >,
    Pick<Endpoint, "status" | "failures" | "errors"> {
  /** The scope that a token must have. */
  readonly scope?: string;
}

/** What a document says of a server. */
export interface DescribedServer {
  readonly title: string;
  readonly summary: string;
  /** Behind what holds for each of them. */
  readonly description: string;
  readonly token: string;
  readonly cookie: { readonly name: string; readonly description: string };
  /** Beyond those that every endpoint may have. */
  readonly failures?: Readonly<Record<number, string>>;
}

const LOCAL: DescribedServer = {
  title: "Rethread",
  summary: "Find, read, repair and continue every conversation you have held with a coding agent",
  description: "Turns count from 0, records from 1; sessions are named `source:id`.",
  token: "`token` of `rethread serve --json`",
  cookie: {
    name: "rethread-port",
    description: "what a browser has after it opened the printed address; `port` is the server's",
  },
};

/** The document itself, as an endpoint. It is made when it is asked for, and stays the same then. */
export function openApiEndpoint(document: () => Json): Endpoint & { answer(): Response } {
  let made: Json | undefined;
  return {
    method: "GET",
    path: "/api/openapi.json",
    summary: "Describe this API in the form of OpenAPI 3.1",
    effect: "reads",
    parameters: [],
    output: (z) => z.looseObject({ openapi: z.string() }),
    answer() {
      made ??= document();
      return new Response(JSON.stringify(made), {
        headers: { "content-type": "application/json; charset=utf-8" },
      });
    },
  };
}

export function openApi(
  z: Zod,
  endpoints: readonly DescribedEndpoint[],
  version: string,
  about: DescribedServer = LOCAL,
): Json {
  const usual = { ...FAILURES, ...about.failures };
  const schemas: Json = {};
  const schemaOf = createSchemas(z, schemas);
  const paths: Record<string, Json> = {};
  for (const endpoint of endpoints) {
    const path = memberOf(paths, endpoint.path) ?? {};
    setMember(path, endpoint.method.toLowerCase(), operationOf(endpoint, schemaOf, usual));
    setMember(paths, endpoint.path, path);
  }
  schemas.Error = schemaOf(errorSchema, "output", "Error");
  return shared({
    openapi: "3.1.0",
    info: {
      title: about.title,
      version,
      summary: about.summary,
      description: `Every answer is JSON with \`schemaVersion\`; more fields may be added. Every error is \`{ error: { code, message, hint } }\`. ${about.description}`,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/" }],
    security: [{ token: [] }, { cookie: [] }],
    tags: [...new Set(endpoints.map(tagOf))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        token: { type: "http", scheme: "bearer", description: about.token },
        cookie: { type: "apiKey", in: "cookie", ...about.cookie },
      },
      schemas,
      responses: Object.fromEntries(
        Object.entries(usual).map(([status, description]) => [
          nameOfFailure(status),
          failure(status, description, { $ref: "#/components/schemas/Error" }),
        ]),
      ),
    },
  });
}

const errorSchema: Schema = (z) =>
  z.object({
    error: z.object({
      code: z.enum(Object.keys(ERROR_CODES)),
      message: z.string(),
      hint: z.string().describe("one next step"),
      remedy: remedy(z).exactOptional().describe("`hint` as data"),
      say: z
        .string()
        .exactOptional()
        .describe("with `remedy`: the words that introduce it, without the command"),
      matches: z
        .array(z.looseObject({ source: z.string(), id: z.string(), title: z.string() }))
        .exactOptional()
        .describe("the sessions that a name could mean"),
    }),
  });

type SchemaOf = (schema: Schema, io: "input" | "output", name: string) => Json;

function operationOf(
  endpoint: DescribedEndpoint,
  schemaOf: SchemaOf,
  usual: Readonly<Record<number, string>>,
): Json {
  const id = idOf(endpoint);
  const { parameters, body, isOpen, mostBytes, scope } = endpoint;
  return {
    operationId: id,
    summary: endpoint.summary,
    tags: [tagOf(endpoint)],
    ...(isOpen && { security: [] }),
    ...(scope !== undefined && { security: [{ token: [scope] }, { cookie: [scope] }] }),
    ...(parameters.length > 0 && {
      parameters: parameters.map(({ name, in: place, isRequired, schema }) => {
        const { description, ...type } = schemaOf(schema, "input", `${id}-${name}`);
        return {
          name,
          in: place,
          required: isRequired,
          ...(description !== undefined && { description }),
          schema: type,
          ...(type.type === "array" && { style: "form", explode: false }),
        };
      }),
    }),
    ...(body !== undefined && {
      requestBody: {
        required: true,
        content:
          typeof body === "string"
            ? { [body]: { schema: { type: "string", format: "binary", maxLength: mostBytes } } }
            : { "application/json": { schema: schemaOf(body, "input", `${id}-input`) } },
      },
    }),
    responses: { ...successOf(endpoint, id, schemaOf), ...failuresOf(endpoint, id, schemaOf, usual) },
  };
}

function successOf(endpoint: DescribedEndpoint, id: string, schemaOf: SchemaOf): Json {
  const { output, media = "application/json", status = 200, errors } = endpoint;
  const schema = output && schemaOf(output, "output", `${id}-answer`);
  // What has errors of its own form has answers of its own form, too.
  const isPlain = errors !== undefined || endpoint.path.endsWith(".json");
  const answer = media === "application/json" && schema && !isPlain ? withVersion(schema) : schema;
  return {
    [status]: { description: "the answer", content: { [media]: { schema: answer ?? { type: "string" } } } },
  };
}

/** Any field of an answer may be joined by others. */
const withVersion = (schema: Json): Json => ({
  allOf: [
    {
      type: "object",
      properties: {
        schemaVersion: { const: SCHEMA_VERSION },
        notices: { type: "array", items: { type: "string" }, description: "what had to be said on the way" },
      },
      required: ["schemaVersion"],
    },
    schema,
  ],
});

const FAILURES: Readonly<Record<number, string>> = {
  400: "the request is not valid",
  401: "no valid token or cookie",
  403: "refused: another site, a server that only reads, or a protected place",
  404: "there is no such thing",
  409: "something is in the way, such as a running program",
  413: "the request is too large",
  429: "too many requests, or wrong tokens; `Retry-After` says how long to wait",
  500: "something failed",
};

function failuresOf(
  { failures = {}, errors, isOpen }: DescribedEndpoint,
  id: string,
  schemaOf: SchemaOf,
  all: Readonly<Record<number, string>>,
): Json {
  const own = errors ? schemaOf(errors, "output", `${id}-error`) : { $ref: "#/components/schemas/Error" };
  const usual = isOpen ? ["403", "429"] : Object.keys(all);
  return {
    ...Object.fromEntries(
      usual.map((status) => [status, { $ref: `#/components/responses/${nameOfFailure(status)}` }]),
    ),
    ...Object.fromEntries(
      Object.entries(failures).map(([status, description]) => [status, failure(status, description, own)]),
    ),
  };
}

const nameOfFailure = (status: string): string => `Error${status}`;

const failure = (status: string, description: string, schema: Json): Json => ({
  description,
  content: { "application/json": { schema } },
  ...(["429", "503"].includes(status) && {
    headers: { "Retry-After": { description: "seconds", schema: { type: "integer" } } },
  }),
});

/** `get-sessions-turns`, `post-plans-clone`. */
const idOf = ({ method, path }: DescribedEndpoint): string =>
  [method.toLowerCase(), ...path.replace(/^\/api\//, "").split("/")]
    .map((part) => part.replaceAll(/[{}]/g, "").replaceAll(/[^\w-]/g, "-"))
    .join("-");

const tagOf = ({ path }: DescribedEndpoint): string =>
  path.split("/").slice(1, 3).at(-1)?.replace(/\..*/, "") ?? "";

/** Only for the reference pages of the command. */
const NOT_OF_SCHEMAS = ["$schema", "like", "likeField", "adds", "isLocal"];

/** Schemas as JSON; what they refer to moves to the components of the document. */
function createSchemas(z: Zod, components: Json): SchemaOf {
  return (schema, io, name) => {
    const json = z.toJSONSchema(schema(z) as zod.ZodType, { io, unrepresentable: "any" }) as Json;
    const { $defs = {}, ...root } = json as { $defs?: Json };
    const moved = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(moved);
      if (typeof value !== "object" || value === null) return value;
      return Object.fromEntries(
        Object.entries(value)
          .filter(
            ([key, each]) =>
              !NOT_OF_SCHEMAS.includes(key) &&
              !(io === "output" && key === "additionalProperties" && each === false),
          )
          .map(([key, each]) => [
            key,
            key === "$ref" && typeof each === "string"
              ? each.replace(/^#\/\$defs\//, `#/components/schemas/${name}.`)
              : moved(each),
          ]),
      );
    };
    for (const [def, each] of Object.entries($defs)) components[`${name}.${def}`] = moved(each);
    return moved(root) as Json;
  };
}
