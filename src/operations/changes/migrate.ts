/** Copies a whole home to another place. */
import { VERSION } from "../../app/version.ts";
import { toMigrationJson } from "../../present/json/plan.ts";
import { defineOperation, type Zod } from "../operation.ts";
import { fingerprint, KINDS, lockFields, operationName, risks, ticketFields } from "../schemas/plan.ts";
import { countFields } from "../schemas/session.ts";

const migrationFields = (z: Zod) => ({
  session: z.null().describe("null, because it is not about a single session"),
  sessionPath: z.null().describe("null, because it is not about a single session"),
  backupPath: z.null().describe("null, because nothing is replaced"),
  resume: z.null().describe("null, because it is not about a single session"),
  plan: z.object({
    kind: z.enum(KINDS),
    steps: z.array(z.object({ does: z.enum(["place", "replace", "remove", "set"]), path: z.string() })),
  }),
  stats: z.null().describe("null, because it is not about a single session"),
  losses: z.array(z.string()).describe("what is not included, in words"),
  risks: risks(z),
  from: z.string().describe("the home or archive that was read"),
  to: z.string().describe("the folder or archive that was written"),
  ...countFields(z, "how many sessions it has"),
  turns: z
    .int()
    .nullable()
    .describe("the turns of all sessions, read in the new home or archive; null with `--dry-run`"),
  files: z.int().describe("how many files"),
  bytes: z.int().describe("their total size"),
  databases: z
    .record(z.string(), z.record(z.string(), z.int()))
    .describe("the number of rows of each table, by database"),
  leftOut: z.record(z.string(), z.array(z.string())).describe("what is not included: paths, by reason"),
  links: z
    .array(
      z.object({
        path: z.string(),
        target: z.string(),
        becomes: z
          .enum(["content", "link", "nothing"])
          .describe("`content`: replaced by what it leads to; `link`: to the copy of what it leads to"),
      }),
    )
    .describe("symbolic links of the home"),
  use: z.string().nullable().describe("the command that uses the new home; null for an archive"),
});

/** What a command prints that plans and then carries out. */
export const migrationWritten = (z: Zod) => z.object({ operation: operationName(z), ...migrationFields(z) });

export const migrate = defineOperation({
  name: "migrate",
  kind: "change",
  summary: "Copy a whole Copilot CLI home to another folder or archive, or back, and verify the copy",
  input: (z) =>
    z.strictObject({
      to: z.string().min(1).describe("a new or empty folder, or an archive to write"),
      from: z
        .string()
        .exactOptional()
        .describe("another home, or an archive to bring back (default: the home in use)"),
      ...lockFields(z),
    }),
  output: (z) => z.object({ ...ticketFields(z), ...migrationFields(z) }),
  run: async (app, input, call) =>
    (await app.migrating()).plan({ ...input, madeBy: `rethread ${VERSION}` }, call),
  toJson({ fingerprint: mark, expiresAt, ...migration }) {
    const { operation: _, ...fields } = toMigrationJson(migration);
    return { fingerprint: mark, expiresAt, ...fields };
  },
});

export const applyMigration = defineOperation({
  name: "apply-migration",
  kind: "change",
  summary: "Carry out the plan of a migration, once",
  input: (z) => z.strictObject({ fingerprint: fingerprint(z) }),
  output: (z) =>
    z.object({
      operation: z.string().describe("the name of this write, for `undo`"),
      ...countFields(z, "found in the new home or archive"),
      turns: z.int().describe("read there"),
    }),
  run: async (app, input, call) => (await app.migrating()).apply(input.fingerprint, call),
  toJson: ({ operation, sessions, turns }) => ({ operation, sessionCount: sessions, sessions, turns }),
});
