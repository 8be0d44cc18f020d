/** An address that answers with an operation: its parameters, body and answer follow from the operation's schemas. */

import type * as zod from "zod";
import { memberOf, setMember } from "../model/values/member.ts";
import type { AnyOperation, Operation, Schema, Zod } from "../operations/operation.ts";
import { outsideInput, readInput } from "../operations/outside-input.ts";
import { runForJson } from "../operations/run-for-json.ts";
import {
  type ApiRequest,
  answerJson,
  answerJsonText,
  type Endpoint,
  type Parameter,
  type ServerParts,
} from "./endpoint.ts";
import { namesInPath, type Route } from "./routes.ts";
import { type Lane, laneOf } from "./workers/workers.ts";

type Fields = Readonly<Record<string, zod.ZodType>>;

export function operationEndpoint(z: Zod, route: Route, operation: AnyOperation): Endpoint {
  if (operation.kind === "stream") throw new Error(`${operation.name} gives no single answer`);
  const { parameters, body, read } = operationInput(z, route, operation);
  const lane = laneOf(operation.name);
  return {
    method: route.method,
    path: route.path,
    summary: operation.summary,
    effect: operation.kind === "question" ? "reads" : "writes",
    operation: route.operation,
    parameters,
    ...(body && { body }),
    output: (zz) => toPaged(zz, route, operation.output(zz)),
    async answer(request, parts) {
      const input = await read(request);
      if (lane) return answerJsonText(await runElsewhere(parts, lane, operation, input, request.signal));
      const answer = await runOperation(parts, operation, input, request.signal);
      if (route.tells === "tagged") tellTagged(parts, answer.sessions);
      return answerPage(route, answer);
    },
  };
}

/** How an address takes the input of an operation: what its path, query and body hold. */
export interface OperationInput extends Pick<Endpoint, "parameters"> {
  readonly body?: Schema;
  read(request: ApiRequest): Promise<unknown>;
}

export type InputRoute = Pick<Route, "method" | "path" | "names" | "defaults">;

export function operationInput(
  z: Zod,
  route: InputRoute,
  operation: Pick<AnyOperation, "name" | "input">,
): OperationInput {
  const schema = outsideInput(z, operation);
  const fields = fieldsOf(z, schema);
  const nameOf = (field: string): string =>
    Object.entries(route.names ?? {}).find(([, to]) => to === field)?.[0] ?? field;
  const inPath = namesInPath(route.path);
  const { required = [] } = z.toJSONSchema(schema, { io: "input" });
  const parameters: readonly Parameter[] = Object.entries(fields).flatMap(([field, type]) => {
    const name = nameOf(field);
    const isInPath = inPath.includes(name);
    if (!isInPath && route.method !== "GET") return [];
    return [
      {
        name,
        in: isInPath ? "path" : "query",
        isRequired: isInPath || required.includes(field),
        schema: () => type,
      },
    ];
  });
  const inBody = Object.entries(fields).filter(([field]) => !inPath.includes(nameOf(field)));
  const hasBody = route.method !== "GET" && route.method !== "DELETE";
  return {
    parameters,
    ...(hasBody && { body: (zz: Zod) => zz.strictObject(Object.fromEntries(inBody)) }),
    async read(request) {
      const asked = {
        ...route.defaults?.every,
        ...(!request.query.has("cursor") && route.defaults?.first),
        ...(hasBody ? objectOf(await request.json()) : {}),
        ...readParameters(z, fields, parameters, route, request),
      };
      return readInput(schema, operation, asked);
    },
  };
}

/** The page that comes next is called `nextCursor` in answers that come in pages. */
export function answerPage({ isPaged }: Pick<Route, "isPaged">, answer: Record<string, unknown>): Response {
  if (!isPaged) return answerJson(answer);
  const { next = null, ...page } = answer;
  return answerJson({ ...page, nextCursor: next });
}

export const toPaged = (z: Zod, { isPaged }: Pick<Route, "isPaged">, output: zod.ZodType): zod.ZodType =>
  isPaged && output instanceof z.ZodObject ? withCursor(z, output) : output;

/** More sessions than this at once are not told one by one. */
const MANY = 200;

function tellTagged({ events }: ServerParts, sessions: unknown): void {
  const tagged = sessions as readonly { readonly source: string; readonly id: string }[];
  if (tagged.length > MANY) events.publish("reset", { why: "many-changes" });
  else
    for (const { source, id } of tagged) events.publish("session-changed", { source, id, change: "tagged" });
}

/** Runs it for a request, and gives back its JSON. */
export async function runOperation(
  parts: ServerParts,
  operation: Operation,
  input: unknown,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  if (operation.kind === "question")
    return runForJson(parts.app, operation, input, { signal, freshness: () => parts.freshness(signal) });
  // A write that has begun is carried out, whether or not somebody still waits for it.
  return parts.writing(() => runForJson(parts.app, operation, input, {}));
}

/** The same by a worker; as text in pieces. */
export async function runElsewhere(
  parts: ServerParts,
  lane: Lane,
  { name, kind }: Operation,
  input: unknown,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (kind === "change") return parts.writing(() => parts.workers.ask(lane, name, input));
  return parts.workers.ask(lane, name, input, { signal, freshness: await parts.freshness(signal) });
}

export const fieldsOf = (z: Zod, schema: zod.ZodType): Fields =>
  schema instanceof z.ZodObject ? (schema.shape as Fields) : {};

function withCursor(z: Zod, output: zod.ZodObject): zod.ZodObject {
  const { next, ...fields } = output.shape;
  return z.object({ ...fields, ...(next && { nextCursor: next as zod.ZodType }) });
}

/** Anything else than an object is for the schema to refuse. */
const objectOf = (body: unknown): object =>
  typeof body === "object" && body !== null && !Array.isArray(body) ? body : { "": body };

/** The text of the address as values of the input: numbers, flags, lists and dates by what the field takes. */
function readParameters(
  z: Zod,
  fields: Fields,
  parameters: readonly Parameter[],
  { names = {} }: InputRoute,
  { params, query }: ApiRequest,
): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  for (const { name, in: place } of parameters) {
    const field = memberOf(names, name) ?? name;
    const type = memberOf(fields, field);
    const texts = place === "path" ? [memberOf(params, name) ?? ""] : query.getAll(name);
    if (type && texts.length > 0) setMember(input, field, toValue(z, type, texts));
  }
  const known = new Set(parameters.map(({ name }) => name));
  // What the input does not know is refused by its schema, by the name that was used.
  for (const name of query.keys()) if (!known.has(name)) setMember(input, name, query.get(name));
  return input;
}

function toValue(z: Zod, type: zod.ZodType, texts: readonly string[]): unknown {
  const { type: kind, format } = z.toJSONSchema(type, { io: "input" });
  const [text = ""] = texts;
  if (kind === "array") return texts.flatMap((each) => each.split(",")).filter((each) => each !== "");
  if ((kind === "integer" || kind === "number") && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  if (kind === "boolean") return FLAGS.get(text) ?? text;
  // A day is the moment at which it begins.
  if (format === "date-time" && /^\d{4}-\d{2}-\d{2}$/.test(text)) return `${text}T00:00:00Z`;
  return text;
}

const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ["", true],
  ["1", true],
  ["true", true],
  ["0", false],
  ["false", false],
]);
