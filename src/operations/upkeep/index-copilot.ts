/** Rebuilds Copilot CLI's own store from its sessions, or restores a copy of it. */
import { toCopilotStoreJson, toRestoredJson } from "../../present/json/index-report.ts";
import { defineOperation, type Zod } from "../operation.ts";
import { lockFields, risks } from "../schemas/plan.ts";

const storeFields = (z: Zod) => ({ store: z.string().describe("which file") });

export const indexCopilot = defineOperation({
  name: "index-copilot",
  kind: "change",
  summary: "Rebuild Copilot CLI's own store from its sessions",
  input: (z) =>
    z.strictObject({
      dryRun: z.boolean().exactOptional().describe("say what would change, and write nothing"),
      ...lockFields(z),
    }),
  output: (z) =>
    z.object({
      ...storeFields(z),
      dryRun: z.boolean().describe("whether nothing was written"),
      outcome: z
        .enum(["complete", "partial"])
        .describe("`partial` when a session or folder could not be read at all"),
      unreadable: z.int().describe("how many sessions or folders could not be read at all"),
      indexed: z.int().describe("how many sessions were read"),
      unchanged: z.int().describe("how many were unchanged"),
      removed: z.int().describe("how many are gone from the disk"),
      problemCount: z.int().describe("how many of the sessions read have problems; see doctor"),
      problems: z.int().describe("as `problemCount`"),
      bytesRead: z.int().describe("size of what was read"),
      tables: z
        .record(z.string(), z.object({ added: z.int(), updated: z.int(), removed: z.int() }))
        .describe("`added`, `updated` and `removed` rows of each table that changes"),
      seconds: z.number().describe("how long it took"),
      backup: z.string().nullable().describe("the copy made before, or null when nothing had to be written"),
      risks: risks(z),
    }),
  async run(app, { dryRun = false, ignoreLock = false }, call) {
    const report = await (await app.copilotStore()).rebuild({ dryRun, ignoreLock }, call);
    return { ...report, dryRun };
  },
  toJson: toCopilotStoreJson,
});

export const restoreCopilot = defineOperation({
  name: "restore-copilot",
  kind: "change",
  summary: "Restore a copy of Copilot CLI's own store that was made before an earlier rebuild",
  input: (z) => z.strictObject({ file: z.string().min(1).describe("the copy"), ...lockFields(z) }),
  output: (z) =>
    z.object({
      ...storeFields(z),
      restored: z.string().describe("the copy that was restored"),
      backup: z.string().describe("the copy made before"),
      risks: risks(z),
    }),
  async run(app, { file, ignoreLock = false }, call) {
    return { ...(await (await app.copilotStore()).restore(file, { ignoreLock }, call)), file };
  },
  toJson: toRestoredJson,
});
