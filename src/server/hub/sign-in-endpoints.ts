/** Addresses by which people say who they are: what a token is, and signing a browser in and out. */
import type { Zod } from "../../operations/operation.ts";
import { readInput } from "../../operations/outside-input.ts";
import { answerJson } from "../endpoint.ts";
import type { HubEndpoint } from "./endpoint.ts";

const signInInput = (z: Zod) =>
  z.object({ token: z.string().max(200).describe("one that an admin gave out") });

const me = (z: Zod) =>
  z.object({
    user: z.string(),
    scopes: z.array(z.string()).describe("push, read, admin"),
    teams: z.array(z.object({ name: z.string() })),
    machines: z
      .array(z.object({ id: z.string(), name: z.string() }))
      .describe("those from which one has pushed"),
  });

export const signInEndpoints = (z: Zod): readonly HubEndpoint[] => [
  {
    method: "GET",
    path: "/api/hub/me",
    summary: "Say whose token this is, and what it allows",
    needs: "any",
    parameters: [],
    output: me,
    answer: async ({ caller }, { people }) => answerJson({ ...(await people.describe(caller)) }),
  },
  {
    method: "POST",
    path: "/api/hub/sign-in",
    summary: "Sign a browser in with a token; it gets a cookie of its own, good for twelve hours",
    needs: "open",
    parameters: [],
    body: signInInput,
    output: (z) => z.object({ user: z.string(), scopes: z.array(z.string()) }),
    async answer(request, { entrance }) {
      const { token } = readInput(signInInput(z), { name: "sign-in" }, await request.json());
      const { caller, setCookie } = await entrance.signIn(token.trim(), request.remote);
      return answerJson(
        { user: caller.name, scopes: caller.scopes },
        { headers: { "set-cookie": setCookie } },
      );
    },
  },
  {
    method: "POST",
    path: "/api/hub/sign-out",
    summary: "Sign this browser out: its cookie opens nothing any more",
    needs: "any",
    parameters: [],
    output: (z) => z.object({ user: z.string() }),
    async answer({ caller }, { entrance }) {
      return answerJson({ user: caller.name }, { headers: { "set-cookie": await entrance.signOut(caller) } });
    },
  },
];
