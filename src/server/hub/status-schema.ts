/** How a hub's state looks in JSON: from the API, and from `rethread hub status`. */
import type { Zod } from "../../operations/operation.ts";

export const statusFields = (z: Zod) => ({
  version: z.string().describe("of rethread"),
  schema: z.array(z.string()).describe("the migrations that the database has"),
  postgres: z.string().describe("the version of the database server"),
  people: z.int().describe("accounts that may use the hub"),
  revoked: z.int().describe("accounts that no longer may"),
  teams: z.int(),
  machines: z.int().describe("those that have pushed"),
  sessionCount: z.int(),
  sealed: z.int().describe("sessions that the hub cannot read"),
  shared: z.int().describe("sessions that a team sees"),
  turns: z.int(),
  raw: z
    .object({
      files: z.int(),
      events: z.int(),
      bytes: z.int().describe("before compression"),
      diskBytes: z.int().describe("as the database keeps them, with indexes"),
    })
    .describe("what was pushed"),
  derived: z.object({ diskBytes: z.int() }).describe("what was made of it"),
  databaseBytes: z.int(),
  backfill: z
    .object({
      waiting: z.int(),
      active: z.int(),
      failed: z.int().describe("given up after several attempts"),
      oldestSeconds: z.int().describe("how long the oldest that waits or runs has been there"),
      behind: z.int().describe("sessions whose rows are older than what was pushed"),
      failures: z
        .array(z.object({ reason: z.string(), count: z.int() }))
        .describe("what went wrong with those that failed or are tried again"),
    })
    .describe("the making of rows"),
});
