/** Writes that wait in the background until an editor has ended. */
import type { Job } from "../../app/contract.ts";
import { defineOperation, type Zod } from "../operation.ts";
import { remedy } from "../schemas/problem.ts";

/** The changes that an editor may block: each makes a plan. */
export const WAITING_CHANGES = [
  "clone",
  "fork",
  "rewind",
  "move",
  "rename",
  "delete",
  "rescue",
  "rescue-all",
  "secrets-scrub",
  "import",
  "handoff",
  "undo",
  "backup-copy",
] as const;

export const jobFields = (z: Zod) => ({
  job: z.string().describe("its name, for `undo`, which cancels it while it waits"),
  state: z
    .enum(["waiting", "running", "done", "failed", "cancelled", "interrupted"])
    .describe("`interrupted`: its process ended before it did, as at a restart of the machine"),
  command: z.string().describe("to run it again"),
  folder: z.string().describe("where it was started"),
  createdAt: z.string().describe("ISO 8601"),
  endedAt: z.string().nullable().describe("ISO 8601"),
  waitsFor: z.string().nullable().describe("what it waited for last, in words"),
  operations: z.array(z.string()).describe("the writes that it made"),
  error: z
    .object({
      code: z.string(),
      message: z.string(),
      hint: z.string(),
      remedy: remedy(z).exactOptional().describe("`hint` as data"),
    })
    .nullable()
    .describe("why it failed"),
});

export const jobShape = (z: Zod) => z.object(jobFields(z));

export const toJobJson = ({ id, changes: _, begun: __, endedAt, waitsFor, error, ...job }: Job) => ({
  job: id,
  ...job,
  operations: [...job.operations],
  endedAt: endedAt ?? null,
  waitsFor: waitsFor ?? null,
  error: error ?? null,
});

export const jobs = defineOperation({
  name: "jobs",
  kind: "question",
  summary: "List the writes that wait, or waited, in the background until VS Code had ended",
  input: (z) => z.strictObject({}),
  output: (z) =>
    z.object({ jobs: z.array(jobShape(z)).describe("latest first; for 30 days once they ended") }),
  run: async (app) => (await app.jobs()).list(),
  toJson: (all) => ({ jobs: all.map(toJobJson) }),
});

export const jobStart = defineOperation({
  name: "job-start",
  kind: "change",
  summary: "Make changes in the background, once VS Code has ended",
  input: (z) =>
    z.strictObject({
      changes: z
        .array(
          z.strictObject({
            operation: z.enum(WAITING_CHANGES),
            input: z.record(z.string(), z.unknown()).describe("of that operation"),
          }),
        )
        .min(1),
      command: z.string().describe("how people would ask for the same, to be shown to them"),
    }),
  output: jobShape,
  run: async (app, request, call) => (await app.jobs()).start(request, call),
  toJson: toJobJson,
});

export const jobCancel = defineOperation({
  name: "job-cancel",
  kind: "change",
  summary: "Cancel a job that still waits; nothing is written then",
  input: (z) => z.strictObject({ job: z.string().min(1).describe("as `history` names it") }),
  output: jobShape,
  run: async (app, { job }, call) => (await app.jobs()).cancel(job, call),
  toJson: toJobJson,
});
