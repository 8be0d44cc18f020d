/** Sending sessions to a team's hub: what may leave, what would, and sending it, once or continuously. */
import type { SyncReport } from "../../app/sync/contract.ts";
import { toDryRunJson, toSyncReportJson, toSyncStatusJson } from "../../present/json/sync.ts";
import { withoutWaiting } from "../emitting.ts";
import { defineOperation, defineStream, type Emit, type Zod } from "../operation.ts";
import { sessionKey } from "../schemas/session.ts";
import {
  heldBack,
  leftOut,
  machine,
  pictures,
  problemFields,
  pushFilterFields,
  redactions,
  syncRules,
} from "../schemas/sync.ts";

const reportFields = (z: Zod) => ({
  outcome: z
    .enum(["clean", "partial", "interrupted"])
    .describe("`partial` when something failed; the next push tries it again"),
  hub: z.string().describe("its address"),
  created: z.int().describe("how many sessions were new to the hub"),
  updated: z.int().describe("how many it knew, and has more of now"),
  unchanged: z.int().describe("how many it has as they are"),
  eventsUploaded: z.int().describe("how many records were new to the hub"),
  bytes: z.int().describe("how much was sent, compressed"),
  failed: z.int().describe("how many sessions could not be sent"),
  backfillQueued: z.int().describe("for how many the hub will make rows to search in"),
  backfillFailed: z.int().describe("for how many it could not begin that"),
  ...redactions(z),
  vanished: z.int().describe("of how many the hub was told that their files are gone here"),
  deleted: z.int().describe("how many were deleted there, as they were here"),
  takenBack: z.int().describe("how many were deleted there from another machine, and are not sent again"),
  allowed: z
    .array(z.string())
    .describe("repositories that agreeing to this push allowed; their sessions are sent from now on"),
  heldBack: heldBack(z),
  pictures: pictures(z),
  leftOut: z
    .array(z.object({ session: sessionKey(z), path: z.string(), why: z.string() }))
    .describe("what was not sent: databases, pictures, what was taken out of logs"),
  ...problemFields(z),
});

export const syncStatus = defineOperation({
  name: "sync-status",
  kind: "question",
  summary: "Say what may leave this machine, what the hub has, and what is in the way",
  input: (z) => z.strictObject({}),
  output: (z) =>
    z.object({
      hub: z.string().nullable().describe("its address; null when nobody is logged in"),
      machine: machine(z),
      gates: z
        .array(
          z.object({
            gate: z.enum(["store", "indexing", "repositories", "cloud"]),
            isOpen: z.boolean(),
            says: z.string(),
            hint: z.string().nullable().describe("the next step, where it is closed"),
          }),
        )
        .describe("what must hold before anything leaves"),
      repositories: z.array(
        z.object({
          repository: z.string().nullable().describe("null for sessions without one"),
          sessionCount: z.int(),
          bytes: z.int(),
          sends: z.enum(["plain", "sealed", "nothing"]),
          why: z.enum(["private", "denied", "not-allowed", "no-repository"]).nullable(),
        }),
      ),
      ...syncRules(z),
      pushed: z.int().describe("how many sessions the hub has"),
      waiting: z.int().describe("how many may leave, and are not there as they are now"),
      toDelete: z.int().describe("how many are to be deleted there with the next push"),
      recipient: z.string().nullable().describe("what sealed sessions are encrypted for"),
      sends: z.array(z.string()).describe("what leaves of a session"),
      leavesOut: z.array(z.string()).describe("what never does"),
    }),
  run: async (app, _, call) => (await app.sync()).status(call),
  toJson: toSyncStatusJson,
});

export const syncPreview = defineOperation({
  name: "sync-preview",
  kind: "question",
  summary: "Say what would be sent and what would be redacted; nothing leaves",
  input: (z) => z.strictObject(pushFilterFields(z)),
  output: (z) =>
    z.object({
      hub: z.string().nullable(),
      sessions: z
        .array(
          z.object({
            session: z.object({ source: z.string(), id: z.string(), title: z.string() }),
            repository: z.string().nullable(),
            isSealed: z.boolean().describe("encrypted with a key that the hub does not have"),
            bytes: z.int().describe("how much would be sent, before compression"),
            files: z.int(),
            ...redactions(z),
            pictures: pictures(z),
            leftOut: leftOut(z),
          }),
        )
        .describe("those that are new, or have changed since the last push"),
      unchanged: z.int().describe("how many the hub has as they are"),
      heldBack: heldBack(z),
      ...redactions(z),
      ...problemFields(z),
    }),
  run: async (app, input, call) => (await app.sync()).preview(input, call),
  toJson: toDryRunJson,
});

export const syncPush = defineOperation({
  name: "sync-push",
  kind: "change",
  summary: "Send sessions to the team's hub, without secrets, and only what is new",
  input: (z) =>
    z.strictObject({
      ...pushFilterFields(z),
      consents: z
        .boolean()
        .exactOptional()
        .describe(
          "true says that a person has seen what will be sent, and agrees; without rules, the repositories of these sessions are allowed",
        ),
    }),
  output: (z) => z.object(reportFields(z)),
  run: async (app, input, call) => (await app.sync()).push(input, call),
  toJson: toSyncReportJson,
});

export const syncWatch = defineStream({
  name: "sync-watch",
  kind: "stream",
  summary: "Send what changes to the hub until it is stopped, and report each push that sent something",
  input: (z) => z.strictObject(pushFilterFields(z)),
  output: (z) => z.object(reportFields(z)),
  async run(app, input, emit: Emit<SyncReport>, call = {}) {
    const reports = withoutWaiting(emit);
    await (await app.sync()).watch({ ...input, onPush: reports.emit }, call);
    await reports.taken();
  },
  toJson: toSyncReportJson,
});
