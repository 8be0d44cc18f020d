/** `rethread migrate`: copies a whole home. */

import { AppError } from "../../../model/errors.ts";
import { applyMigration, migrate, migrationWritten } from "../../../operations/changes/migrate.ts";
import { toMigrationJson } from "../../../present/json/plan.ts";
import { defineCommand } from "../../command.ts";
import { printMigrated, printMigration } from "../../print/changes/migrate.ts";
import { ADDING_ARGS } from "../../writing.ts";

export default defineCommand({
  name: "migrate",
  summary: migrate.summary,
  brief: "Copy a whole Copilot CLI home elsewhere, or back",
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
  operations: [migrate, applyMigration],
  json: [{ schema: migrationWritten }],
  async run({ args, out, openApp }) {
    const app = await openApp();
    const migrating = await app.migrating();
    // All calls share one, so that what the plan is made from is let go of with it.
    const one = { ...app, migrating: async () => migrating };
    try {
      const migration = await out.progress("Reading the home", (call) =>
        migrate.run(
          one,
          {
            to: toNamed(args.to),
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
      const { fingerprint } = migration;
      const done = await out.progress("Copying", (call) => applyMigration.run(one, { fingerprint }, call));
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
