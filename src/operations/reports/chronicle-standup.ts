/** What was worked on, by repository and branch? */
import type { Standup, StandupBranch } from "../../app/contract.ts";
import { defineOperation, type Zod } from "../operation.ts";
import { rangeFields, reportedSession, reportFields } from "../schemas/report.ts";

const seenFields = (z: Zod) => ({ session: reportedSession(z), turn: z.int() });

const ref = (z: Zod) =>
  z.object({
    number: z.string(),
    url: z.string().nullable(),
    evidence: z
      .enum(["tool", "command", "mentioned"])
      .describe("`mentioned`: only named in text; else made or looked up"),
    ...seenFields(z),
  });

const branch = (z: Zod) =>
  z.object({
    branch: z.string().nullable(),
    turns: z.int(),
    sessions: z.array(
      z.object({
        source: z.string(),
        id: z.string(),
        title: z.string(),
        turns: z.int().describe("those in the range"),
        outcome: z.string().nullable().describe("how its last answer in the range begins"),
        lastTurn: z.int().nullable().describe("the last one in the range"),
        lastAt: z.string().nullable().describe("when that ended (ISO 8601)"),
      }),
    ),
    files: z.array(
      z.object({ path: z.string(), action: z.enum(["created", "edited", "deleted"]), ...seenFields(z) }),
    ),
    commits: z.array(
      z.object({
        commit: z.string().describe("its hash, or the start of it"),
        subject: z.string().nullable().describe("null where git does not have it"),
        at: z.string().nullable(),
        url: z.string().nullable(),
        session: reportedSession(z).nullable().describe("null for one that no session made"),
        turn: z.int().nullable(),
      }),
    ),
    pullRequests: z.array(ref(z)),
    issues: z.array(ref(z)),
    openEnds: z
      .array(
        z.object({
          kind: z.enum(["failed", "asked", "interrupted"]),
          text: z.string().describe("what failed, what was asked, or what had no answer"),
          ...seenFields(z),
        }),
      )
      .describe("sessions whose last turn failed, asked something, or was interrupted"),
  });

export const chronicleStandup = defineOperation({
  name: "chronicle-standup",
  kind: "question",
  summary: "Report what was worked on, by repository and branch, and what was left open",
  input: (z) =>
    z.strictObject({
      ...reportFields(z, "24 hours"),
      git: z
        .boolean()
        .exactOptional()
        .describe("false leaves out your own commits that only `git log` knows of"),
    }),
  output: (z) =>
    z.object({
      ...rangeFields(z),
      repositories: z.array(
        z.object({
          repository: z.string().nullable().describe("its name, or else the folder"),
          folder: z.string().nullable(),
          turns: z.int(),
          branches: z.array(branch(z)),
        }),
      ),
      gitTroubles: z
        .array(z.string())
        .describe("where git could not be asked, and why: commits that no session made are missing there"),
    }),
  run: async (app, input, call) => (await app.chronicle()).standup(input, call),
  toJson: (standup: Standup) => ({
    ...standup,
    repositories: standup.repositories.map(({ repository, folder, turns, branches }) => ({
      repository: repository ?? null,
      folder: folder ?? null,
      turns,
      branches: branches.map(toBranchJson),
    })),
  }),
});

const toBranchJson = (branch: StandupBranch) => ({
  branch: branch.branch ?? null,
  turns: branch.turns,
  sessions: branch.sessions.map(({ outcome, lastTurn, lastAt, ...session }) => ({
    ...session,
    outcome: outcome ?? null,
    lastTurn: lastTurn ?? null,
    lastAt: lastAt ?? null,
  })),
  files: branch.files,
  commits: branch.commits.map(({ commit, subject, at, url, session, turn }) => ({
    commit,
    subject: subject ?? null,
    at: at ?? null,
    url: url ?? null,
    session: session ?? null,
    turn: turn ?? null,
  })),
  pullRequests: branch.pullRequests.map(toRefJson),
  issues: branch.issues.map(toRefJson),
  openEnds: branch.openEnds,
});

const toRefJson = ({ url, ...ref }: StandupBranch["issues"][number]) => ({ ...ref, url: url ?? null });
