/** What `rethread hub … --json` prints. */
import type { Zod } from "../../operations/operation.ts";

export const initShape = (z: Zod) =>
  z.object({
    user: z.string().exactOptional(),
    team: z.string().exactOptional(),
    token: z.string().exactOptional().describe("shown once"),
    applied: z.array(z.string()).describe("the migrations that were run now"),
    partitions: z.int().describe("of each table"),
  });

const given = (z: Zod) => ({
  user: z.string(),
  token: z.string().describe("shown once, for `Authorization: Bearer` and `rethread hub login`"),
});

export const addedShape = (z: Zod) =>
  z.object({ ...given(z), teams: z.array(z.string()).describe("those that the user has joined") });

export const rotatedShape = (z: Zod) =>
  z.object({ ...given(z), revoked: z.int().describe("how many other tokens have ended") });

export const usersShape = (z: Zod) =>
  z.object({
    users: z.array(
      z.object({
        name: z.string(),
        teams: z.array(z.string()),
        createdAt: z.string(),
        revokedAt: z.string().exactOptional(),
        tokens: z
          .array(
            z.object({
              scopes: z.array(z.string()),
              kind: z.string().describe("program, web (a browser) or serve (a running server)"),
              createdAt: z.string(),
              expiresAt: z.string().exactOptional(),
              lastUsedAt: z.string().exactOptional(),
            }),
          )
          .describe("those that still open something"),
      }),
    ),
  });

export const teamShape = (z: Zod) =>
  z.object({ team: z.string(), user: z.string().exactOptional().describe("who joined or left it") });

export const teamsShape = (z: Zod) =>
  z.object({ teams: z.array(z.object({ name: z.string(), members: z.array(z.string()) })) });

export const backupFields = (z: Zod) => ({
  file: z.string(),
  format: z.enum(["pg_dump", "portable"]).describe("pg_dump: its custom format"),
  bytes: z.int(),
});
