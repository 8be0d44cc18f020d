/** `rethread migrate`: a whole home in another place. */
import { AppError } from "../../model/errors.ts";
import { toMigrationJson } from "../../present/json/plan.ts";
import { defineCommand } from "../command.ts";
import { printMigrated, printMigration } from "../print/migrate.ts";
import { VERSION } from "../version.ts";
import { ADDING_ARGS } from "../writing.ts";

export default defineCommand({
  name: "migrate",
  summary: "Copy a whole Copilot CLI home to another folder or into one archive, and back, verified",
  about:
    "Sessions, the session store, command history, plugins and settings come along; logs, caches and locks stay behind. What symbolic links lead to outside of the home is copied in their place, so that the copy stands on its own; links inside of it stay links in a folder. The original is left as it is. Every file is compared by its hash, every session found and read in the copy itself, and the session store copied through SQLite, so that nothing of it is left in a log beside it. Refused while Copilot CLI has a session of the home open. `undo` takes the copy away.",
  args: {
    to: {
      kind: "text",
      value: "folder|file.tar.gz",
      help: "a new or empty folder, or an archive to write",
    },
    from: {
      kind: "text",
      value: "home|file.tar.gz",
      help: "another home, or an archive to bring back (default: the home in use)",
    },
    ...ADDING_ARGS,
  },
  examples: [
    {
      command: "rethread migrate --to copilot-home.tar.gz",
      why: "all of it in one file, to keep or to carry",
    },
    {
      command: "rethread migrate --from copilot-home.tar.gz --to ~/.copilot",
      why: "and back, on another machine",
    },
    { command: "rethread migrate --to /data/copilot --dry-run", why: "see first what would be copied" },
  ],
  json: {
    operation: "the name of this write, for `undo`; null with `--dry-run`",
    "session, resume, stats": "null: it is about no single session",
    plan: "`kind`, `steps[]` (`does`, `path`)",
    "losses[]": "what stays behind, in words",
    "risks[]": "with `--ignore-lock`: processes that seem to have sessions open, in words",
    from: "the home or archive that was read",
    to: "the folder or archive that was written",
    sessions: "how many there are in it",
    turns: "of all sessions, read in the new home or archive; null with `--dry-run`",
    files: "how many, and",
    bytes: "how large they are together",
    databases: "rows of each table, by the name of the database",
    leftOut: "what stayed behind: paths, by why",
    "links[]":
      "symbolic links of the home: `path`, `target`, and what it `becomes`: `content` (what it leads to is copied in its place), `link` (to the copy of what it leads to), `nothing`",
    use: "the command that uses the new home; null for an archive",
  },
  async run({ args, out, openApp }) {
    const app = await openApp();
    const migrating = await app.migrating();
    try {
      const migration = await out.progress("Reading the home", (progress) =>
        migrating.plan(
          {
            to: toNamed(args.to),
            madeBy: `rethread ${VERSION}`,
            ...(args.from !== undefined && { from: args.from }),
            ignoreLock: args.ignoreLock,
          },
          progress,
        ),
      );
      const page = { columns: out.columns, style: out.style, isDemo: app.demo !== undefined };
      if (args.dryRun) {
        if (args.json) out.json(toMigrationJson(migration));
        else for (const line of printMigration(migration, page)) out.line(line);
        return 0;
      }
      const done = await out.progress("Copying", (progress) => migrating.apply(migration, progress));
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
    "migrate needs to know where the home is to go",
    "Name a folder or an archive: rethread migrate --to copilot-home.tar.gz",
  );
}
