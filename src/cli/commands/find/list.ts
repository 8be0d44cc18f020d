/** `rethread list`: lists sessions. */

import type { App, WorkPlace } from "../../../app/contract.ts";
import { SESSION_ORDERS } from "../../../model/session/session-order.ts";
import { list } from "../../../operations/questions/list.ts";
import { toSessionJson } from "../../../present/json/shapes.ts";
import { toCall } from "../../calling.ts";
import { defineCommand } from "../../command.ts";
import { CURSOR_ARG, NO_REFRESH_ARG, toWorkFilter, WORK_FILTER_ARGS } from "../../filters.ts";
import { printList } from "../../print/answers/list.ts";

/** A terminal holds about this many; a pipe, a file or a program gets them all. */
const ENOUGH_FOR_A_TERMINAL = 50;

export default defineCommand({
  name: "list",
  summary: list.summary,
  brief: "List sessions, most recently active first",
  isPaged: true,
  args: {
    ...WORK_FILTER_ARGS,
    model: {
      kind: "text",
      value: "name",
      completes: "models",
      help: "only sessions that used a model whose name contains this",
    },
    problems: { kind: "flag", help: "only sessions with problems; doctor tells which" },
    limit: {
      kind: "number",
      short: "n",
      value: "n",
      help: `show at most this many; 0 shows all (default: ${ENOUGH_FOR_A_TERMINAL} in a terminal, otherwise all)`,
    },
    sort: {
      kind: "choice",
      choices: SESSION_ORDERS,
      help: "latest activity, latest start, title, most turns, or largest first (default: active)",
    },
    ...CURSOR_ARG,
    jsonl: { kind: "flag", help: "print one JSON object per line, one for each session" },
    ...NO_REFRESH_ARG,
  },
  examples: [
    { command: "rethread list --since 7d", why: "what was worked on this week" },
    {
      command: "rethread list --workspace . --source claude-code",
      why: "one program's sessions in this folder",
    },
    { command: "rethread list --jsonl | head -1", why: "the latest session, for a script" },
  ],
  operations: [list],
  async run({ args, config, out, openApp }) {
    const app = await openApp();
    const isForPeople = !args.json && !args.jsonl;
    const limit = args.limit ?? (isForPeople && config.terminal.stdout ? ENOUGH_FOR_A_TERMINAL : 0);
    const place = toWorkFilter(args, config);
    const { sort, cursor, model, problems } = args;
    const isFiltered = Object.keys(place).length > 0 || model !== undefined || problems;
    const input = {
      ...place,
      ...(model !== undefined && { model }),
      ...(problems && { problems }),
      ...(limit > 0 && { limit }),
      ...(sort !== undefined && { sort }),
      ...(cursor !== undefined && { cursor }),
    };
    const found = await out.progress("Reading sessions", (call) => list.run(app, input, toCall(call, args)));
    const setting = {
      isFiltered,
      isAsItIs: args.noRefresh,
      isDemo: app.demo !== undefined,
      now: config.now(),
      nowhere: isForPeople && found.total === 0 ? await whatIsNowhere(app, place) : [],
    };
    if (args.jsonl) for (const session of found.sessions) out.jsonLine(toSessionJson(session, app));
    else if (args.json) out.json(list.toJson(found, app));
    else for (const line of printList(found, setting, out)) out.line(line);
    return 0;
  },
});

/** Of filters that match no session at all, whatever the others say: a mistyped folder or tag, mostly. */
async function whatIsNowhere(app: App, { workspace, tags = [] }: WorkPlace): Promise<string[]> {
  const isNone = async (place: WorkPlace): Promise<boolean> =>
    (await list.run(app, { ...place, limit: 1 }, toCall({}, { noRefresh: true }))).total === 0;
  const sentences: string[] = [];
  if (workspace !== undefined && (await isNone({ workspace })))
    sentences.push(`No session was ever in ${workspace}.`);
  for (const tag of tags)
    if (await isNone({ tags: [tag] })) sentences.push(`No session has the tag "${tag}".`);
  return sentences;
}
