/** What several operations about a hub take and answer. */
import type { Zod } from "../operation.ts";
import { moment, sessionName } from "./inputs.ts";
import { sessionKey } from "./session.ts";

export const pushFilterFields = (z: Zod) => ({
  sessions: z.array(sessionName(z)).exactOptional().describe("only these"),
  repository: z
    .string()
    .exactOptional()
    .describe("only repositories whose name contains this, or of this address"),
  since: moment(z).exactOptional().describe("active since then"),
});

export const redactionList = (z: Zod) =>
  z.array(
    z.object({ kind: z.string(), secrets: z.int().describe("how many different ones"), places: z.int() }),
  );

export const redactions = (z: Zod) => ({
  redacted: z.int().describe("in how many places a mark stands for a secret"),
  redactions: redactionList(z).describe("the same by kind"),
});

export const problem = (z: Zod) =>
  z.object({
    session: sessionKey(z).nullable().describe("null where it concerns all of them"),
    code: z.string(),
    message: z.string(),
    hint: z.string(),
  });

export const problemFields = (z: Zod) => ({ problems: z.array(problem(z)).describe("what failed") });

export const pictures = (z: Zod) =>
  z.int().describe("how many pictures, and other contents that are no text, were taken out of logs");

export const leftOut = (z: Zod) =>
  z
    .array(z.object({ path: z.string(), why: z.string() }))
    .describe("what is not sent of the session: databases, pictures, what was taken out of logs");

export const machine = (z: Zod) =>
  z.object({ id: z.string(), name: z.string() }).describe("this machine, as the hub knows it");

/** How many sessions there are in all that a filter lets through, by what becomes of them. */
export const heldBack = (z: Zod) => z.int().describe("how many sessions stay here, by the rules");

export const syncRules = (z: Zod) => ({
  rules: z.array(
    z.object({
      kind: z.enum(["repository", "folder"]),
      pattern: z.string().describe("`*` stands for anything within a part of it, `**` for anything"),
      effect: z.enum(["allow", "deny", "seal"]),
    }),
  ),
  sessionRules: z
    .array(z.object({ ...sessionKey(z).shape, effect: z.enum(["deny", "seal"]) }))
    .describe("what was said about single sessions"),
});
