/** What did we write, what became of it, and are its backups whole? */
import type { App, Call } from "../../app/contract.ts";
import { toBoardChangeJson } from "../../present/json/board.ts";
import { toAuditJson, toHistoryJson } from "../../present/json/history.ts";
import { jobShape, toJobJson } from "../changes/jobs.ts";
import { defineOperation, type Zod } from "../operation.ts";
import { boardChange } from "../schemas/board.ts";
import { KINDS } from "../schemas/plan.ts";
import { sessionKey } from "../schemas/session.ts";

const pruned = (z: Zod) => z.object({ operations: z.array(z.string()), freed: z.int(), left: z.int() });

export const history = defineOperation({
  name: "history",
  kind: "question",
  summary: "List rethread's own writes: when, what, to which session, and how long their backups are kept",
  input: (z) => z.strictObject({}),
  output: (z) =>
    z.object({
      writes: z
        .array(
          z.object({
            operation: z.string(),
            kind: z.enum(KINDS),
            at: z.string().describe("ISO 8601"),
            state: z.enum(["done", "undone", "failed", "pending"]),
            session: sessionKey(z),
            from: sessionKey(z),
            title: z.string(),
            undoes: z.string().nullable(),
            became: z
              .array(
                z.object({ source: z.string(), id: z.string(), became: z.enum(["new", "old", "mixed"]) }),
              )
              .describe(
                "after a crash in a write of several sessions, the state of each; `mixed` when others have changed it",
              ),
            confirmed: z.boolean(),
            backup: z.object({
              files: z.int(),
              bytes: z.int(),
              stored: z.int().describe("bytes in the vault"),
              until: z
                .string()
                .nullable()
                .describe("`confirmed`, a time, `gone`, or null where there is none"),
              path: z
                .string()
                .nullable()
                .describe("the copy of a database beside it, or the vault; null where there is no backup"),
            }),
          }),
        )
        .describe("latest first"),
      jobs: z
        .array(jobShape(z))
        .describe("writes that were started with `--background`, latest first; for 30 days once they ended"),
      board: z.array(boardChange(z)).describe("changes of the context board, latest first; the last 200"),
      backups: z.object({
        stored: z.int().describe("bytes of all"),
        days: z.number().describe("as it is set"),
        bytes: z.number().describe("as it is set"),
        prunable: pruned(z),
      }),
    }),
  async run(app, _, call) {
    const edit = await app.edit();
    const report = await edit.backups(call);
    const [jobs, board] = [await (await app.jobs()).list(), await (await app.board()).changes(call)];
    return { report, writes: await edit.history(call), jobs, board };
  },
  toJson: ({ writes, report, jobs, board }) => ({
    ...toHistoryJson(writes, report),
    jobs: jobs.map(toJobJson),
    board: board.map(toBoardChangeJson),
  }),
});

const audit = (z: Zod) =>
  z.object({
    verified: z.object({
      blocks: z.int().describe("of the vault"),
      bytes: z.int().describe("of the vault"),
      bad: z.array(
        z.object({
          block: z.string(),
          path: z.string(),
          why: z.string(),
          operations: z.array(z.string()).describe("that need it"),
          sessions: z.array(sessionKey(z)).describe("that need it"),
          files: z.array(z.string()).describe("that need it"),
          copy: z.string().nullable().describe("a file that still has the same bytes, or null"),
          repaired: z.boolean(),
        }),
      ),
      strays: z.array(z.string()).describe("what does not belong in the vault"),
      state: z.array(z.string()).describe("what is wrong with state.db"),
    }),
  });

const verify = async (app: App, repair: boolean, call: Call = {}) =>
  (await app.edit()).verify({ repair }, call);

export const verifyBackups = defineOperation({
  name: "verify-backups",
  kind: "question",
  summary: "Read all backups and archived copies, and report which are damaged",
  input: (z) => z.strictObject({}),
  output: audit,
  run: (app, _, call) => verify(app, false, call),
  toJson: (answer) => ({ verified: toAuditJson(answer) }),
});

export const repairBackups = defineOperation({
  name: "repair-backups",
  kind: "change",
  summary: "Restore damaged blocks of backups from files that still have the same bytes",
  input: (z) => z.strictObject({}),
  output: audit,
  run: (app, _, call) => verify(app, true, call),
  toJson: (answer) => ({ verified: toAuditJson(answer) }),
});

export const confirm = defineOperation({
  name: "confirm",
  kind: "change",
  summary: "Confirm that a write is good, so that its backup can be removed in time",
  input: (z) => z.strictObject({ operation: z.string().min(1).describe("the write, or `all`") }),
  output: (z) =>
    z.object({ confirmed: z.array(z.string()).describe("the operations that were not confirmed before") }),
  run: async (app, { operation }, call) => (await app.edit()).confirm(operation, call),
  toJson: (confirmed) => ({ confirmed }),
});

export const prune = defineOperation({
  name: "prune",
  kind: "change",
  summary: "Remove the backups that have expired",
  input: (z) => z.strictObject({}),
  output: (z) => z.object({ pruned: pruned(z) }),
  run: async (app, _, call) => (await app.edit()).prune(call),
  toJson: (answer) => ({ pruned: answer }),
});
