/** Brings the store up to date with the agents' files, once or continuously. */
import type { WatchReport } from "../../app/contract.ts";
import { toIndexJson } from "../../present/json/index-report.ts";
import { withoutWaiting } from "../emitting.ts";
import { defineOperation, defineStream, type Emit, type Zod } from "../operation.ts";
import { sources } from "../schemas/inputs.ts";
import { sessionKey } from "../schemas/session.ts";

const reportFields = (z: Zod) => ({
  outcome: z
    .enum(["complete", "partial", "interrupted"])
    .describe(
      "`partial` when a session or folder could not be read at all; `interrupted` when sessions remain",
    ),
  indexed: z.int().describe("how many sessions were read"),
  unchanged: z.int().describe("how many were unchanged"),
  removed: z.int().describe("how many are gone from the disk"),
  kept: z
    .int()
    .describe(
      "how many of those that are gone are kept in the store, marked as gone; see docs/configuration.md",
    ),
  archived: z.int().describe("how many sessions were copied to the vault; 0 unless the archive is on"),
  problemCount: z.int().describe("how many of the sessions read have problems; see doctor"),
  problems: z.int().describe("as `problemCount`"),
  unreadable: z.int().describe("how many sessions or folders could not be read at all"),
  pending: z.int().describe("how many sessions remain after an interruption"),
  turns: z.int().describe("how many turns were read; of a log that grew, only the new ones"),
  bytesRead: z.int().describe("size of what was read"),
  seconds: z.number().describe("how long it took"),
});

const refreshFields = (z: Zod) => ({
  at: z
    .string()
    .describe("the time of the refresh; the first one is reported, and each that changed something"),
  ...reportFields(z),
});

/** What `index --watch` prints for each refresh. */
export const refreshLine = (z: Zod) => z.object(refreshFields(z));

export const indexStore = defineOperation({
  name: "index",
  kind: "change",
  summary: "Bring the store up to date with the agents' files, for search and sql",
  input: (z) =>
    z.strictObject({
      sources: sources(z).exactOptional(),
      rebuild: z
        .boolean()
        .exactOptional()
        .describe("read everything again, into a new store that then takes the old one's place"),
    }),
  output: (z) => z.object(reportFields(z)),
  run: (app, input, call) => app.index(input, call),
  toJson: toIndexJson,
});

export const watch = defineStream({
  name: "watch",
  summary: "Keep the store up to date, and report each refresh that changed something",
  kind: "stream",
  input: (z) => z.strictObject({ sources: sources(z).exactOptional() }),
  output: (z) =>
    z.object({
      ...refreshFields(z),
      sessions: z.object({
        added: z.array(sessionKey(z)),
        changed: z.array(sessionKey(z)),
        vanished: z.array(sessionKey(z)),
      }),
    }),
  async run(app, input, emit: Emit<WatchReport>, call = {}) {
    const reports = withoutWaiting(emit);
    const watching = await app.watch({ ...input, onRefresh: reports.emit }, call);
    await Promise.race([watching.ended, aborted(call.signal)]);
    await watching.close();
    await reports.taken();
  },
  toJson: (report) => ({
    ...toIndexJson(report),
    at: report.at.toISOString(),
    sessions: report.sessions,
  }),
});

const aborted = (signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    if (signal?.aborted) resolve();
    else signal?.addEventListener("abort", () => resolve(), { once: true });
  });
