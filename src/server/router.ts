/** Requests on their way to an endpoint or a file, for every server of ours: the checks that all have, and who is asked about the rest. */

import { Hono } from "hono";
import { matchedRoutes } from "hono/route";
import { AppError } from "../model/errors.ts";
import { memberOf } from "../model/values/member.ts";
import { readBody, tooLarge } from "../platform/http/bodies.ts";
import type { RawRequest } from "../platform/http/listen.ts";
import { checkHost, checkNavigation, checkTarget, type ServedNames } from "./access.ts";
import type { ApiRequest, Endpoint } from "./endpoint.ts";
import { failureAnswer, isDefect } from "./failure-answer.ts";
import { secured } from "./headers.ts";
import { namesInPath } from "./routes.ts";

export type Route = Pick<Endpoint, "method" | "path" | "mostBytes">;

/** A request before its body is looked at. */
export interface Incoming {
  readonly request: Request;
  readonly path: string;
  /** As the socket has it; nothing in tests without one. */
  readonly remote: string | undefined;
}

/** `A` is what is known of who asks. */
export interface RouterOptions<E extends Route, A> {
  readonly endpoints: readonly E[];
  readonly served: ServedNames;
  readonly isDemo: boolean;
  /** Throws for who may not ask the API. */
  admit(incoming: Incoming): A | Promise<A>;
  answer(endpoint: E, request: ApiRequest, admitted: A): Response | Promise<Response>;
  /** Throws for who loads too much of what lies outside of the API. */
  visit(incoming: Incoming): void;
  /** Everything outside of the API. */
  page(incoming: Incoming): Response | Promise<Response>;
  /** Every answer, once it is known. */
  seen?(answered: Answered): void;
  /** The user's name, for those who look at the answers. */
  nameOf?(admitted: A): string | undefined;
  /** What is told of an error, where that differs. */
  told?(error: unknown): unknown;
  /** Defects, for the terminal. */
  report(error: unknown): void;
}

export interface Answered {
  readonly method: string;
  /** The path of the endpoint, as it is declared; nothing for files and unknown addresses. */
  readonly route: string | undefined;
  readonly status: number;
  /** Of an error. */
  readonly code?: string;
  /** On the clock of `performance`. */
  readonly startedAt: number;
  readonly remote: string | undefined;
  readonly user: string | undefined;
}

export interface Router {
  fetch(request: Request, raw?: Partial<RawRequest>): Response | Promise<Response>;
}

type Environment = {
  Bindings: Partial<RawRequest>;
  Variables: { admitted: unknown };
};

/** Enough for any input; files are sent to an endpoint of their own. */
const LARGEST_BODY = 1 << 20;
const FILE_METHODS = "GET, HEAD, OPTIONS";

export function createRouter<E extends Route, A>(options: RouterOptions<E, A>): Router {
  const { endpoints, served, isDemo } = options;
  const http = new Hono<Environment>();
  const isOfApi = ofApi(endpoints);
  const declared = new Map(endpoints.map(({ path }) => [toHonoPath(path), path]));
  const routeOf = (matched: readonly { readonly path: string }[]): string | undefined =>
    matched.map(({ path }) => declared.get(path)).find((path) => path !== undefined);
  const toIncoming = (request: Request, path: string, env: Partial<RawRequest> | undefined): Incoming => ({
    request,
    path,
    remote: env?.remote,
  });

  http.use(async (c, next) => {
    const startedAt = performance.now();
    await next();
    c.res = secured(c.res);
    if (!options.seen) return;
    const code = c.error === undefined ? undefined : codeOf(c.error);
    const admitted = c.get("admitted") as A | undefined;
    options.seen({
      method: c.req.method,
      route: routeOf(matchedRoutes(c)),
      status: c.res.status,
      ...(code !== undefined && { code }),
      startedAt,
      remote: c.env?.remote,
      user: admitted && options.nameOf?.(admitted),
    });
  });
  http.use(async (c, next) => {
    checkTarget(c.env?.target ?? new URL(c.req.url).pathname);
    checkHost(served, c.req.raw.headers);
    const incoming = toIncoming(c.req.raw, c.req.path, c.env);
    if (isOfApi(c.req.path)) c.set("admitted", await options.admit(incoming));
    else {
      checkNavigation(c.req.raw.headers);
      options.visit(incoming);
    }
    await next();
  });

  for (const endpoint of endpoints)
    http.on(endpoint.method, toHonoPath(endpoint.path), async (c) => {
      const request = toRequest(endpoint, c.req.raw, c.req.param());
      return options.answer(endpoint, request, c.get("admitted") as A);
    });
  for (const [path, methods] of methodsByPath(endpoints))
    http.all(toHonoPath(path), (c) => otherMethod(c.req.method, methods, isDemo));
  http.all("/api/*", () => {
    throw noRoute();
  });
  http.get("*", (c) => options.page(toIncoming(c.req.raw, c.req.path, c.env)));
  http.all("*", (c) => otherMethod(c.req.method, FILE_METHODS, isDemo));
  http.onError((error) => {
    if (isDefect(error)) options.report(error);
    return failureAnswer(options.told?.(error) ?? error, isDemo);
  });
  return http;
}

const codeOf = (error: unknown): string => (error instanceof AppError ? error.code : "internal");

/** What lies below /api, and endpoints elsewhere. */
function ofApi(endpoints: readonly Route[]): (path: string) => boolean {
  const elsewhere = new Set(endpoints.map(({ path }) => path).filter((path) => !path.startsWith("/api/")));
  return (path) => path === "/api" || path.startsWith("/api/") || elsewhere.has(path);
}

/** `/a/{b}` is `/a/:b` in the words of the router. */
const toHonoPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ":$1");

function methodsByPath(endpoints: readonly Route[]): Map<string, string> {
  const byPath = new Map<string, Set<string>>();
  for (const { path, method } of endpoints) {
    const methods = byPath.get(path) ?? new Set();
    methods.add(method);
    if (method === "GET") methods.add("HEAD");
    byPath.set(path, methods);
  }
  return new Map([...byPath].map(([path, methods]) => [path, [...methods, "OPTIONS"].join(", ")]));
}

function otherMethod(method: string, allow: string, isDemo: boolean): Response {
  if (method === "OPTIONS") return new Response(null, { status: 204, headers: { allow } });
  const error = new AppError("method-not-allowed", `This address takes no ${method}`, `Use one of ${allow}`);
  const answer = failureAnswer(error, isDemo);
  answer.headers.set("allow", allow);
  return answer;
}

function toRequest(endpoint: Route, request: Request, params: Record<string, string>): ApiRequest {
  const { method, headers, body, signal } = request;
  const { mostBytes = LARGEST_BODY } = endpoint;
  if (Number(headers.get("content-length") ?? 0) > mostBytes) throw tooLarge(mostBytes);
  return {
    method,
    params: Object.fromEntries(
      namesInPath(endpoint.path).map((name) => [name, memberOf(params, name) ?? ""]),
    ),
    query: new URL(request.url).searchParams,
    headers,
    signal,
    body,
    async json() {
      const bytes = await readBody(body, mostBytes);
      return bytes.length === 0 ? undefined : parseJson(headers, bytes);
    },
  };
}

function parseJson(headers: Headers, bytes: Uint8Array): unknown {
  // Forms of other sites can send anything but this without being asked first.
  if (!/^application\/json *(;|$)/i.test(headers.get("content-type") ?? ""))
    throw new AppError("media-not-supported", "The body is not declared as JSON", "Send application/json");
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new AppError("usage", "The body is not valid JSON", "Send one JSON object");
  }
}

const noRoute = (): AppError =>
  new AppError("route-not-found", "The API has no such address", "See /api/openapi.json");
