/** `rethread migrate`: a whole home in another place. */
import { AppError } from "../../model/errors.ts";
import { toMigrationJson } from "../../present/json/plan.ts";
import { defineCommand } from "../command.ts";
import { printMigrated, printMigration } from "../print/migrate.ts";
import { VERSION } from "../version.ts";
import { ADDING_ARGS } from "../writing.ts";

export default defineCommand({
  name: "migrate",
  summary: "Copy a whole Copilot CLI home to another folder or archive, or back, and verify the copy",
  about:
    "Sessions, the session store, command history, plugins and settings are included; logs, caches and locks are not. Symbolic links that lead out of the home are replaced by what they lead to, so that the copy is complete; links within the home stay links when the copy is a folder. The original is not changed. Every file is compared by its hash, every session is found and read in the copy itself, and the session store is copied through SQLite, including what is still in its write-ahead log. Refused while Copilot CLI has a session of the home open. `undo` removes the copy.",
  args: {
    to: {
      kind: "text",
      value: "folder|file.tar.gz",
      help: "a new or empty folder, or an archive to write",
    },
    from: {
      kind: "text",
      value: "home|file.tar.gz",
      help: "another home, or an archive to restore (default: the home in use)",
    },
    ...ADDING_ARGS,
  },
  examples: [
    {
      command: "rethread migrate --to copilot-home.tar.gz",
      why: "everything in one file, to keep or to move",
    },
    {
      command: "rethread migrate --from copilot-home.tar.gz --to ~/.copilot",
      why: "restore it on another machine",
    },
    { command: "rethread migrate --to /data/copilot --dry-run", why: "see what would be copied first" },
  ],
  json: {
    operation: "the name of this write, for `undo`; null with `--dry-run`",
    "session, resume, stats": "null, because it is not about a single session",
    plan: "`kind`, `steps[]` (`does`, `path`)",
    "losses[]": "what is not included, in words",
    "risks[]": "with `--ignore-lock`: processes that seem to have sessions open, in words",
    from: "the home or archive that was read",
    to: "the folder or archive that was written",
    sessions: "how many sessions it has",
    turns: "the turns of all sessions, read in the new home or archive; null with `--dry-run`",
    files: "how many files",
    bytes: "their total size",
    databases: "the number of rows of each table, by database",
    leftOut: "what is not included: paths, by reason",
    "links[]":
      "symbolic links of the home: `path`, `target`, and what it `becomes`: `content` (replaced by what it leads to), `link` (to the copy of what it leads to), `nothing`",
    use: "the command that uses the new home; null for an archive",
  },
  async run({ args, out, openApp }) {
    const app = await openApp();
    const migrating = await app.migrating();
    try {
      const migration = await out.progress("Reading the home", (call) =>
        migrating.plan(
          {
            to: toNamed(args.to),
            madeBy: `rethread ${VERSION}`,
            ...(args.from !== undefined && { from: args.from }),
            ignoreLock: args.ignoreLock,
          },
          call,
        ),
      );
      const page = { columns: out.columns, style: out.style, isDemo: app.demo !== undefined };
      if (args.dryRun) {
        if (args.json) out.json(toMigrationJson(migration));
        else for (const line of printMigration(migration, page)) out.line(line);
        return 0;
      }
      const done = await out.progress("Copying", (call) => migrating.apply(migration.fingerprint, call));
      if (args.json) out.json(toMigrationJson(migration, done));
      else for (const line of printMigrated(migration, done, page)) out.line(line);
      return 0;
    } finally {
      migrating.close();
    }
  },
});

function toNamed(to: string | undefined): string {
  if (to !== undefined) return to;
  throw new AppError(
    "usage",
    "migrate needs a destination",
    "Name a folder or an archive: rethread migrate --to copilot-home.tar.gz",
  );
}
