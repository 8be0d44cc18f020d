/** Requests on their way to an endpoint or a file: who may ask is decided here, and nowhere else. */

import { Hono } from "hono";
import { AppError } from "../model/errors.ts";
import { memberOf } from "../model/values/member.ts";
import { readBody, tooLarge } from "../platform/http/bodies.ts";
import { checkHost, checkNavigation, checkTarget, type ServedNames } from "./access.ts";
import { createAdmission } from "./admission.ts";
import type { ApiRequest, Endpoint, ServerParts } from "./endpoint.ts";
import { failureAnswer, isDefect } from "./failure-answer.ts";
import { secured } from "./headers.ts";
import type { Limits } from "./limits.ts";
import { namesInPath } from "./routes.ts";
import type { SignIn } from "./sign-in.ts";
import type { Site } from "./site.ts";

export interface HttpOptions {
  readonly endpoints: readonly Endpoint[];
  readonly parts: ServerParts;
  readonly served: ServedNames;
  readonly signIn: SignIn;
  readonly limits: Limits;
  readonly site: Site;
  /** Defects, for the terminal. */
  report(error: unknown): void;
}

type Environment = { Bindings: { readonly target?: string } };

/** Enough for any input; files are sent to an endpoint of their own. */
const LARGEST_BODY = 1 << 20;
const FILE_METHODS = "GET, HEAD, OPTIONS";

export function createHttpApp(options: HttpOptions): Hono<Environment> {
  const { endpoints, parts, served, signIn, limits, site } = options;
  const isDemo = parts.app.demo !== undefined;
  const http = new Hono<Environment>();
  const openPaths = new Set(endpoints.filter(({ isOpen }) => isOpen).map(({ path }) => path));

  const { admit } = createAdmission({ served, signIn, limits });

  http.use(async (c, next) => {
    checkTarget(c.env?.target ?? new URL(c.req.url).pathname);
    checkHost(served, c.req.raw.headers);
    if (isOfApi(c.req.path)) admit(c.req.raw, openPaths.has(c.req.path));
    else {
      checkNavigation(c.req.raw.headers);
      limits.request(signIn.hasCookie(c.req.raw.headers) ? "known" : "unknown");
    }
    await next();
    c.res = secured(c.res);
  });

  for (const endpoint of endpoints)
    http.on(endpoint.method, toHonoPath(endpoint.path), async (c) => {
      if (parts.isReadOnly && endpoint.effect === "writes") throw readOnly();
      return endpoint.answer(toRequest(endpoint, c.req.raw, c.req.param()), parts);
    });
  for (const [path, methods] of methodsByPath(endpoints))
    http.all(toHonoPath(path), (c) => otherMethod(c.req.method, methods, isDemo));
  http.all("/api/*", () => {
    throw noRoute();
  });
  http.get("*", (c) => site.answer(c.req.raw));
  http.all("*", (c) => otherMethod(c.req.method, FILE_METHODS, isDemo));
  http.onError((error) => {
    if (isDefect(error)) options.report(error);
    return secured(failureAnswer(error, isDemo));
  });
  return http;
}

const isOfApi = (path: string): boolean => path === "/api" || path.startsWith("/api/");

/** `/a/{b}` is `/a/:b` in the words of the router. */
const toHonoPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ":$1");

function methodsByPath(endpoints: readonly Endpoint[]): Map<string, string> {
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

function toRequest(endpoint: Endpoint, request: Request, params: Record<string, string>): ApiRequest {
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

const readOnly = (): AppError =>
  new AppError(
    "read-only",
    "This server only reads, and changes nothing",
    "Start it without --read-only to make changes",
  );

const noRoute = (): AppError =>
  new AppError("route-not-found", "The API has no such address", "See /api/openapi.json");
