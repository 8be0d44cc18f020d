/** `rethread history`: what we wrote, and what became of it. */
import { defineCommand } from "../command.ts";
import { printHistory } from "../print/history.ts";

export default defineCommand({
  name: "history",
  summary: "List rethread's own writes: when, what, to which session, and the space their backups take",
  args: {},
  examples: [{ command: "rethread history", why: "which write to undo" }],
  json: {
    "writes[]":
      "`operation`, `kind`, `at` (ISO 8601), `state` (`done`, `undone`, `failed`, `pending`), `session` (`source`, `id`), `from`, `title`, `undoes`, `backup` (`files`, `bytes`, `stored`: bytes in the vault); latest first",
  },
  async run({ args, config, out, openApp }) {
    const app = await openApp();
    const writes = await (await app.edit()).history();
    const page = { columns: out.columns, style: out.style, now: config.now };
    if (args.json)
      out.json({
        writes: writes.map(({ session: { source, id }, undoes = null, ...write }) => ({
          ...write,
          session: { source, id },
          undoes,
        })),
      });
    else for (const line of printHistory(writes, page)) out.line(line);
    return 0;
  },
});
