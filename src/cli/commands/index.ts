/** `rethread index`: bring the store up to date. */
import { defineCommand } from "../command.ts";
import { SOURCE_ARG } from "../filters.ts";
import { printIndexReport } from "../print/index-report.ts";

export default defineCommand({
  name: "index",
  summary: "Bring the store up to date with the agents' files, so that search and sql can answer",
  about:
    "Reads only what changed since the last time. Commands that ask the store do this by themselves; run it to see what it does, or to build the store anew. The store can be deleted at any time.",
  args: {
    ...SOURCE_ARG,
    rebuild: {
      kind: "flag",
      help: "read everything again, into a new store that then takes the old one's place",
    },
  },
  examples: [
    { command: "rethread index", why: "read what is new" },
    { command: "rethread index --rebuild", why: "read everything again" },
  ],
  json: {
    "indexed, unchanged, removed": "how many sessions were read, left alone, and are gone from the disk",
    kept: "how many of those that are gone stay in the store, marked as gone; see docs/configuration.md",
    archived: "how many sessions were copied to the vault; 0 unless the archive is on",
    problems: "how many of those read have problems; see doctor",
    bytesRead: "size of the sessions read",
    seconds: "how long it took",
  },
  async run({ args, out, openApp }) {
    const app = await openApp();
    const report = await out.progress("Indexing", (progress) =>
      app.index({
        rebuild: args.rebuild,
        ...(args.source.length > 0 && { sources: args.source }),
        onProgress: ({ done, total, bytes, totalBytes }) =>
          totalBytes > 0 ? progress(bytes, totalBytes) : progress(done, total),
      }),
    );
    const { indexed, unchanged, removed, kept, archived, withProblems, bytesRead, seconds } = report;
    if (args.json)
      out.json({ indexed, unchanged, removed, kept, archived, problems: withProblems, bytesRead, seconds });
    else for (const line of printIndexReport(report, app.demo !== undefined)) out.line(line);
    return 0;
  },
});
