/** What an address of the API is: how a request to it is read, what it answers, and whether it changes anything. */
import type { App, CallFreshness } from "../app/contract.ts";
import type { OperationName } from "../operations/index.ts";
import type { AnyOperation, Schema, Zod } from "../operations/operation.ts";
import type { ChatAnswers } from "./chat-answers.ts";
import type { EventHub } from "./event-hub.ts";
import { toBody, toPieces } from "./json-body.ts";
import type { Method } from "./routes.ts";
import type { Uploads } from "./uploads.ts";
import type { Workers } from "./workers/workers.ts";

export const SCHEMA_VERSION = 1;

/** What all endpoints answer from. Nothing in it holds a session. */
export interface ServerParts {
  readonly z: Zod;
  readonly app: App;
  readonly operations: ReadonlyMap<string, AnyOperation>;
  readonly events: EventHub;
  readonly chats: ChatAnswers;
  readonly uploads: Uploads;
  readonly workers: Workers;
  /** Of this run of the server. */
  readonly instance: string;
  readonly version: string;
  readonly isReadOnly: boolean;
  /** Whether questions need to look for what is new, or the watch has done so. */
  freshness(signal: AbortSignal): Promise<CallFreshness>;
  /** What changes something is waited for when the server stops, and seen by the next question. */
  writing<T>(work: () => Promise<T>): Promise<T>;
  /** A new code that opens the pages once. */
  newCode(): string;
  /** Starts an index run, unless one is under way. */
  startIndex(input: { readonly rebuild?: boolean; readonly sources?: readonly string[] }): boolean;
}

export interface ApiRequest {
  readonly method: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
  /** The body as JSON, which must not be larger than the endpoint allows. */
  json(): Promise<unknown>;
  /** The body as it arrives. */
  readonly body: ReadableStream<Uint8Array> | null;
}

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly isRequired: boolean;
  readonly schema: Schema;
}

/** `reads` changes nothing, `plans` neither; `writes` is refused by a server that only reads. */
export type Effect = "reads" | "plans" | "writes";

export interface Endpoint {
  readonly method: Method;
  readonly path: string;
  readonly summary: string;
  readonly effect: Effect;
  /** The operation whose schemas it has, where it is about one. */
  readonly operation?: OperationName;
  /** It answers without a token. */
  readonly isOpen?: true;
  readonly parameters: readonly Parameter[];
  /** The body as JSON; or the media type of another one. */
  readonly body?: Schema | string;
  /** The largest body. */
  readonly mostBytes?: number;
  /** What it answers: JSON with `schemaVersion`, or another media type. */
  readonly output?: Schema;
  readonly media?: string;
  /** Of the answer, where it is not 200. */
  readonly status?: number;
  /** Other answers than those that every endpoint may give, by their status. */
  readonly failures?: Readonly<Record<number, string>>;
  /** The errors have a form of their own. */
  readonly errors?: Schema;
  answer(request: ApiRequest, parts: ServerParts): Promise<Response> | Response;
}

interface AnswerOptions {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export const answerJson = (fields: Readonly<Record<string, unknown>>, options?: AnswerOptions): Response =>
  answerText(toPieces(JSON.stringify({ schemaVersion: SCHEMA_VERSION, ...fields })), options);

/** The same for fields that are JSON text already, in pieces: those of a worker are not parsed to be written again. */
export const answerJsonText = ([first = "", ...others]: readonly string[]): Response =>
  answerText([`{"schemaVersion":${SCHEMA_VERSION}${first === "{}" ? "}" : `,${first.slice(1)}`}`, ...others]);

function answerText(pieces: readonly string[], { status = 200, headers = {} }: AnswerOptions = {}): Response {
  const { body, bytes } = toBody(pieces);
  const length = { "content-length": String(bytes) };
  const type = { "content-type": "application/json; charset=utf-8" };
  return new Response(body, { status, headers: { ...type, ...length, ...headers } });
}
