/** `rethread list`: which sessions are there. */

import { toListJson } from "../../present/json/answers.ts";
import { toSessionJson } from "../../present/json/shapes.ts";
import { defineCommand } from "../command.ts";
import { NO_REFRESH_ARG, PLACE_ARGS, toPlace } from "../filters.ts";
import { printList } from "../print/list.ts";

/** A terminal holds about this many; a pipe, a file or a program gets them all. */
const ENOUGH_FOR_A_TERMINAL = 50;

export default defineCommand({
  name: "list",
  summary: "List sessions, the latest activity first",
  args: {
    ...PLACE_ARGS,
    limit: {
      kind: "number",
      value: "n",
      help: `at most this many, 0 for all (in a terminal ${ENOUGH_FOR_A_TERMINAL}, else all)`,
    },
    jsonl: { kind: "flag", help: "print one JSON object a line, one line a session" },
    ...NO_REFRESH_ARG,
  },
  examples: [
    { command: "rethread list --since 7d", why: "what was worked on this week" },
    {
      command: "rethread list --workspace . --source claude-code",
      why: "one program's sessions about this folder",
    },
    { command: "rethread list --jsonl | head -1", why: "the latest session, for a script" },
  ],
  json: {
    "sessions[]":
      "`source`, `id`, `title`, `workspace`, `repository`, `branch`, `createdAt`, `updatedAt` (ISO 8601), `turns`, `problems` (how many were found while indexing; `doctor` looks closer), `models[]`, `path`, `bytes`, `parent` (`id`, `kind`, `title`), `producer`, `openIn` (a process id), `resume` (a command, quoted for POSIX shells and, unless a quote is in it, PowerShell; `resume --json` has its words), `vanishedAt` (its files are gone since then); what a session lacks is `null`",
    total: "how many fit the filters, whatever the limit",
  },
  async run({ args, config, out, openApp }) {
    const app = await openApp();
    const isForPeople = !args.json && !args.jsonl;
    const limit = args.limit ?? (isForPeople && config.terminal.stdout ? ENOUGH_FOR_A_TERMINAL : 0);
    const place = toPlace(args);
    const isFiltered = Object.keys(place).length > 0;
    const request = { ...place, noRefresh: args.noRefresh, ...(limit > 0 && { limit }) };
    const list = await out.progress("Reading sessions", (progress) => app.list(request, progress));
    const setting = {
      isFiltered,
      isAsItIs: args.noRefresh,
      isDemo: app.demo !== undefined,
      now: config.now(),
    };
    if (args.jsonl) for (const session of list.sessions) out.jsonLine(toSessionJson(session));
    else if (args.json) out.json(toListJson(list));
    else for (const line of printList(list, setting, out)) out.line(line);
    return 0;
  },
});
