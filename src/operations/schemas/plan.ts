/** Plans and writes as answers have them. */
import { FIDELITY_KINDS } from "../../model/handoff/fidelity.ts";
import { SKIP_REASONS } from "../../model/plan-facts.ts";
import type { Zod } from "../operation.ts";
import { remedy } from "./problem.ts";
import { sessionKey } from "./session.ts";

export const KINDS = [
  "clone",
  "fork",
  "rewind",
  "compact",
  "checkpoint",
  "move",
  "rename",
  "delete",
  "rescue",
  "scrub",
  "import",
  "handoff",
  "migrate",
  "restore",
  "improve",
  "configure",
  "undo",
] as const;

/** By which a plan is carried out; no plan itself is ever taken from outside. */
export const fingerprint = (z: Zod) =>
  z.string().min(1).describe("of the plan; each is carried out once, within 30 minutes");

export const ticketFields = (z: Zod) => ({
  fingerprint: fingerprint(z),
  expiresAt: z.string().describe("until then the plan can be carried out (ISO 8601)"),
});

/** What most changes take beside what they are about. */
export const lockFields = (z: Zod) => ({
  ignoreLock: z
    .boolean()
    .exactOptional()
    .describe(
      "write even though the agent's program seems to have the session open; only for stale locks, because a running program may overwrite the change",
    ),
});

/** Who writes a summary. It may be a shell command, so callers from outside cannot choose it. */
export const writerFields = (z: Zod) => ({
  with: z.string().exactOptional().meta({
    description:
      "what writes the summary: `copilot` or `claude` (your own Copilot CLI or Claude Code), or a shell command that reads the request on stdin and prints the summary",
    isLocal: true,
  }),
});

export const risks = (z: Zod) =>
  z
    .array(z.string())
    .describe(
      "what may go wrong, in words: with `--ignore-lock`, the processes that seem to have the session open",
    );

/** How much smaller a session got. */
export const statsFields = (z: Zod) =>
  z
    .object({
      originalTurns: z.int(),
      clonedTurns: z.int(),
      removedTurns: z.int(),
      originalTokens: z.int(),
      clonedTokens: z.int(),
      removedTokens: z.int(),
      compressionRatio: z.number().describe("percent removed"),
    })
    .nullable();

/** What clones and forks have beside that. */
export const placedFields = (z: Zod) => ({
  workspace: z.string().nullable().describe("the folder that the new session is about"),
});

export const copyFields = (z: Zod) => ({
  ...placedFields(z),
  name: z.string().nullable().describe("of the clone"),
  alreadyFits: z.boolean().describe("the original is not longer than the budget"),
});

/** The fields that the plans of all changes share. */
export const planFields = (z: Zod) => ({
  session: sessionKey(z).nullable().describe("the resulting session"),
  sessionPath: z.string().nullable().describe("its file; null when none results, as of `delete`"),
  resume: z.string().nullable().describe("the command that continues it, or null"),
  plan: z.object({
    kind: z.enum(KINDS).describe("of the change"),
    from: sessionKey(z),
    steps: z.array(
      z.object({
        does: z.enum(["place", "replace", "remove", "set"]).describe("`set`: in a database"),
        path: z.string(),
        as: z.string().exactOptional().describe("the path before symbolic links are resolved"),
        files: z.int().exactOptional(),
        bytes: z.int().exactOptional(),
        entries: z.int().exactOptional().describe("of a database, instead of `files` and `bytes`"),
      }),
    ),
    reads: z.array(z.string()),
    undoes: z.string().nullable().describe("the operation that is undone"),
  }),
  stats: statsFields(z).describe("null where nothing is counted"),
  losses: z.array(z.string()).describe("what is not included, in words"),
  risks: risks(z),
});

export const plan = (z: Zod) => z.object({ ...ticketFields(z), ...planFields(z) });

/** What a change of an agent's settings has beside these. */
export const serverFields = (z: Zod) => ({
  server: z
    .object({
      name: z.string(),
      entry: z
        .record(z.string(), z.unknown())
        .nullable()
        .describe("what the settings have for it afterwards; null when it is taken away"),
      isThere: z
        .boolean()
        .exactOptional()
        .describe(
          "when it is installed: true where the settings have an entry of that name, which is changed",
        ),
      effect: z.string().describe("what the agent does with it"),
    })
    .describe("the MCP server in the agent's settings"),
});

const ledgerEntry = (z: Zod) => z.object({ kept: z.int(), cut: z.int(), dropped: z.int() });

export const ledgerEntries = (z: Zod) =>
  z.object({
    turns: ledgerEntry(z),
    toolCalls: ledgerEntry(z),
    texts: ledgerEntry(z),
    thoughts: ledgerEntry(z),
  });

/** What some kinds of plans have beside these. */
export const ledgerFields = (z: Zod) => ({
  ledger: ledgerEntries(z).nullable().describe("what was left out; null when nothing was"),
});

export const checkpointFields = (z: Zod) => ({
  checkpoint: z
    .object({ number: z.int(), title: z.string(), path: z.string(), summary: z.string() })
    .exactOptional()
    .describe("the summary that was written; missing when no turn is left out"),
});

export const moveFields = (z: Zod) => ({
  move: z
    .object({
      from: z.string().describe("empty when the sessions have different folders"),
      to: z.string().describe("empty when they move by several maps"),
      isHere: z.boolean().describe("the folder is on this machine"),
      toolCalls: z.int().describe("paths rewritten in them"),
      attachments: z.int().describe("likewise"),
      fileStates: z.int().describe("likewise"),
      others: z.int().describe("paths rewritten anywhere else"),
      mentions: z.int().describe("of the old folder in text"),
      withText: z.boolean().describe("whether the mentions were rewritten"),
      folders: z
        .array(z.object({ from: z.string(), to: z.string(), sessionCount: z.int(), isHere: z.boolean() }))
        .describe("of a move by maps: each folder, and where it is now"),
    })
    .exactOptional(),
  sessions: z
    .array(z.object({ source: z.string(), id: z.string(), title: z.string() }))
    .describe("every session that moves"),
});

export const filesFields = (z: Zod) => ({
  files: z
    .array(
      z.object({
        path: z.string(),
        place: z.string().exactOptional().describe("when symbolic links lead from the path to another file"),
        isOutside: z.boolean().exactOptional().describe("when that is not in the session's folder"),
        change: z.enum(["created", "modified", "deleted"]),
        becomes: z.enum(["restored", "removed", "unchanged"]),
        linesAdded: z.int(),
        linesRemoved: z.int(),
      }),
    )
    .describe("files that the dropped turns had changed"),
  skippedFiles: z
    .array(
      z.object({
        path: z.string(),
        reason: z
          .enum(SKIP_REASONS)
          .describe(
            "`user-modified`: changed since; `skipped-capture`: no earlier state was recorded; `link-changed`: links lead to another file now",
          ),
      }),
    )
    .describe("with `--files`: those that are left as they are"),
});

/** What a rewind says of the log. */
export const removedFields = (z: Zod) => ({
  eventsRemoved: z
    .int()
    .nullable()
    .describe("how many events of a Copilot CLI log are removed; null for other programs"),
  upToEventId: z.string().nullable().describe("the first of them; null when none is removed"),
});

const counts = (z: Zod) => z.partialRecord(z.enum(FIDELITY_KINDS), z.int());

export const fidelityFields = (z: Zod) => ({
  fidelity: z
    .object({
      native: counts(z).describe("what is in the other program's own structures, by kind"),
      text: counts(z).describe("what became labelled text, as the other program has nothing like it"),
      dropped: counts(z).describe("what the other program does not get"),
      reasons: z.array(z.string()).describe("why, in words"),
    })
    .describe("how much of the session the other program gets"),
});

export const alsoFields = (z: Zod) => ({
  also: z.array(sessionKey(z)).describe("the other sessions that come with it"),
});

const repairs = (z: Zod) =>
  z.array(
    z.object({
      path: z.string(),
      line: z.int().nullable(),
      start: z.int().nullable(),
      end: z.int().nullable().describe("in bytes"),
      what: z.string(),
      lost: z.boolean().describe("true when these bytes could not be kept"),
      title: z.string().nullable(),
      workspace: z.string().nullable(),
    }),
  );

export const copyRepairFields = (z: Zod) => ({
  repairs: repairs(z).describe(
    "what was repaired in the copy of a damaged session; the original stays as it is",
  ),
});

export const copyPathFields = (z: Zod) => ({
  paths: z
    .object({
      from: z.string(),
      to: z.string(),
      rewritten: z.int().describe("addresses of files that lead to the new folder"),
      kept: z.int().describe("those that lead to the old folder still"),
      rule: z.enum(["existing", "keep", "rewrite"]),
    })
    .nullable()
    .describe("of a copy for another folder; else null"),
});

export const repairFields = (z: Zod) => ({
  repairs: repairs(z),
  adoptions: z
    .array(
      z.object({
        from: z.string().describe("the folder that the sessions are about"),
        to: z
          .string()
          .nullable()
          .describe("where it is now: the same path when it was created again; null when they stay"),
        sessionCount: z.int(),
        why: z.string().describe("what speaks for it, or why they stay"),
        fix: z.string().nullable().describe("for those that stay, the command that moves them, or null"),
        remedy: remedy(z).exactOptional().describe("`fix` as data"),
      }),
    )
    .describe("sessions that follow a re-created or renamed folder, and those that cannot"),
});

export const vendorRows = (z: Zod) =>
  z
    .array(
      z.object({
        path: z.string(),
        tables: z
          .record(z.string(), z.object({ added: z.int(), updated: z.int(), removed: z.int() }))
          .describe("by name: rows `added`, `updated`, `removed`"),
        trouble: z.string().nullable().describe("why the rows could not be updated, or null"),
      }),
    )
    .describe("the agent's own databases that have rows of the session");

/** What a write has beside its plan. */
export const outcomeFields = (z: Zod) => ({
  backupPath: z
    .string()
    .nullable()
    .describe(
      "where what was replaced is kept: the copy of VS Code's database beside it, or rethread's vault; null when nothing was, and with `--dry-run`",
    ),
  ownRows: vendorRows(z),
  notices: z
    .array(z.string())
    .describe("what could not be done after the write, in words; the write itself succeeded"),
});

export const operationName = (z: Zod) =>
  z
    .string()
    .nullable()
    .describe("the name of this write, for `undo`; null with `--dry-run` and when there was nothing to do");
