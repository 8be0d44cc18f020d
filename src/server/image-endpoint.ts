/** Pictures out of sessions, as pages show them: bytes of a type that cannot run anything, and nothing else. */
import type { SessionImage } from "../app/contract.ts";
import type { AnyOperation, Operation } from "../operations/operation.ts";
import { readInput } from "../operations/outside-input.ts";
import type { Endpoint, Parameter } from "./endpoint.ts";
import { DOWNLOAD_POLICY } from "./headers.ts";

export function imageEndpoint(operations: ReadonlyMap<string, AnyOperation>): Endpoint {
  const operation = operations.get("image") as Operation;
  return {
    ...imageAddress,
    summary: operation.summary,
    effect: "reads",
    operation: "image",
    parameters: [
      { name: "session", in: "path", isRequired: true, schema: (z) => z.string().describe("source:id") },
      imageParameter,
    ],
    async answer({ params, method, signal }, { app, z, freshness }) {
      const input = readInput(operation.input(z), operation, {
        session: params.session,
        image: params.image,
      });
      const call = { signal, freshness: () => freshness(signal) };
      return answerImage((await operation.run(app, input as never, call)) as SessionImage, method);
    },
  };
}

export function answerImage({ type, content }: SessionImage, method: string): Response {
  const headers = {
    "content-type": type,
    "content-length": String(content.length),
    "content-security-policy": DOWNLOAD_POLICY,
  };
  return new Response(method === "HEAD" ? null : new Uint8Array(content), { headers });
}

/** What both kinds of server take and refuse. */
export const imageAddress = {
  method: "GET",
  path: "/api/sessions/{session}/images/{image}",
  media: "image/*",
  failures: { 415: "it is none of the types that are given out: PNG, JPEG, GIF, WebP, AVIF" },
} as const;

export const imageParameter: Parameter = {
  name: "image",
  in: "path",
  isRequired: true,
  schema: (z) => z.string().describe("the `id` of an image, as `turns` has it"),
};
