/** The OpenAPI document is valid, and is about the routes that there are: all of them, and no others. */
import { Validator } from "@seriousme/openapi-schema-validator";
import type { Hono } from "hono";
import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { ERROR_CODES } from "../../src/model/errors.ts";
import { SESSION_ORDERS } from "../../src/model/session/session-order.ts";
import type { ServerParts } from "../../src/server/endpoint.ts";
import { loadApi } from "../../src/server/endpoints.ts";
import { createHttpApp } from "../../src/server/http-app.ts";
import { createLimits } from "../../src/server/limits.ts";
import { openApi } from "../../src/server/openapi.ts";
import { createSignIn } from "../../src/server/sign-in.ts";
import { createSite } from "../../src/server/site.ts";

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly security?: readonly unknown[];
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: object }[];
  readonly responses: Readonly<Record<string, unknown>>;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: object; readonly securitySchemes: object };
}

let document: Document;
let http: Hono;
const { endpoints, operations } = await loadApi(z);
beforeAll(() => {
  document = JSON.parse(JSON.stringify(openApi(z, endpoints, "1.2.3")));
  const signIn = createSignIn({ now: () => new Date(), key: new Uint8Array(32), port: 1, isSecure: false });
  const limits = createLimits();
  http = createHttpApp({
    endpoints,
    parts: { app: { demo: undefined }, operations } as unknown as ServerParts,
    served: { names: new Set(["localhost"]), scheme: "http" },
    signIn,
    limits,
    site: createSite(() => new Map(), signIn, limits, { action: "serve" }),
    again: { action: "serve" },
    report: () => undefined,
  }) as unknown as Hono;
});

it("is valid", async () => {
  const { valid, errors } = await new Validator().validate(document as never);
  expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
});

describe("its paths", () => {
  const listed = (): string[] =>
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
  const routed = (): string[] =>
    http.routes
      .filter(({ method, path }) => method !== "ALL" && path.startsWith("/api/"))
      .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, "{$1}")}`);

  it("are the routes, both ways", () => {
    expect(routed().length).toBeGreaterThan(50);
    expect(listed().sort()).toEqual(routed().sort());
  });

  it("name every parameter of the path, once", () => {
    for (const [path, methods] of Object.entries(document.paths))
      for (const { parameters = [] } of Object.values(methods))
        expect(
          parameters
            .filter((each) => each.in === "path")
            .map(({ name }) => name)
            .sort(),
          path,
        ).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort());
  });

  it("have an id of their own, a summary, and the errors that can come", () => {
    const all = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    expect(new Set(all.map(({ operationId }) => operationId)).size).toBe(all.length);
    for (const { operationId, summary, responses, security } of all) {
      expect(summary, operationId).toMatch(/^[A-Z]/);
      expect(Object.keys(responses), operationId).toEqual(
        expect.arrayContaining(security ? ["200"] : ["401", "403", "429", "500"]),
      );
    }
  });
});

it("lists what can be sorted by, and every error code", () => {
  const sort = document.paths["/api/sessions"]?.get?.parameters?.find(({ name }) => name === "sort");
  expect(sort?.schema).toMatchObject({ enum: [...SESSION_ORDERS] });
  expect(JSON.stringify(document.components.schemas)).toContain(JSON.stringify(Object.keys(ERROR_CODES)));
  expect(Object.keys(document.components.securitySchemes)).toEqual(["token", "cookie"]);
});
