/** The OpenAPI document of a hub is valid, and says of each address which scope it needs. */
import { Validator } from "@seriousme/openapi-schema-validator";
import { expect, expectTypeOf, it } from "vitest";
import * as z from "zod";
import type { HubStatus as AskedStatus } from "../../src/client/hub-types.ts";
import type { HubStatus } from "../../src/hub/operate/status.ts";
import { hubEndpoints } from "../../src/server/hub/endpoints.ts";
import { hubOpenApi } from "../../src/server/hub/openapi.ts";

interface Operation {
  readonly operationId: string;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly responses: Readonly<Record<string, unknown>>;
}
const endpoints = hubEndpoints(z);
const document = JSON.parse(JSON.stringify(hubOpenApi(z, endpoints))) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
};

it("is valid, and is about every address", async () => {
  const { valid, errors } = await new Validator().validate(document as never);
  expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
  const listed = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(listed.sort()).toEqual(endpoints.map(({ method, path }) => `${method} ${path}`).sort());
});

it("names the scope of each, and the errors that can come", () => {
  const ids = new Set<string>();
  for (const { method, path, needs } of endpoints) {
    const { operationId, security, responses } = document.paths[path]?.[method.toLowerCase()] ?? {
      operationId: "missing",
      responses: {},
    };
    ids.add(operationId);
    const scopes = needs === "open" ? [] : [{ token: [needs] }, { cookie: [needs] }];
    expect([path, security]).toEqual([path, needs === "any" ? undefined : scopes]);
    expect(Object.keys(responses)).toEqual(
      expect.arrayContaining(needs === "open" ? ["200", "403", "429"] : ["200", "401", "403", "429", "503"]),
    );
  }
  expect(ids.size).toBe(endpoints.length);
});

it("has an address for its status, whose type the client states once more, as it must not load the hub", () => {
  expect(document.paths).toHaveProperty(["/api/hub/status", "get"]);
  // Checked by the compiler, in both directions.
  expectTypeOf<Omit<AskedStatus, "version">>().toExtend<HubStatus>();
  expectTypeOf<HubStatus>().toExtend<Omit<AskedStatus, "version">>();
});
