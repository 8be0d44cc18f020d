/** `rethread search`: finds turns. */

import type { App } from "../../app/contract.ts";
import { toReference } from "../../model/session/ref-text.ts";
import { ROLES } from "../../model/session/role.ts";
import { SEARCH_ORDERS } from "../../model/session/search-order.ts";
import { ENOUGH_HITS, search } from "../../operations/search.ts";
import { toCall } from "../calling.ts";
import { defineCommand } from "../command.ts";
import { CURSOR_ARG, NO_REFRESH_ARG, toWorkFilter, WORK_FILTER_ARGS } from "../filters.ts";
import { printNoSessions, printSearch } from "../print/answers/search.ts";

export default defineCommand({
  name: "search",
  summary: search.summary,
  brief: "Find turns by what was said, run or edited",
  about:
    'All words must match, as in: fix login. You can also write "exact phrases", prefix*, this OR that, and -without. A word also finds its other forms (migration finds migrations), identifiers and paths are found by their parts (limiter finds rateLimiter), and typing mistakes are corrected. Words like "how" and "the" are optional. If no turn has all the words, the turns with most of them are shown and marked as partial matches. Finding nothing is no failure: the exit code is 0.',
  isPaged: true,
  args: {
    words: { kind: "positional", help: "what to search for; one or more words", rest: true, dashed: true },
    ...WORK_FILTER_ARGS,
    file: { kind: "text", value: "path", help: "only sessions that touched a file whose path contains this" },
    ref: {
      kind: "text",
      value: "ref",
      help: "only sessions with this reference: pr:42, issue:7, commit:1a2b3c4, owner/repo#5, GH-12",
    },
    tool: { kind: "text", value: "name", help: "only sessions that used this tool" },
    model: { kind: "text", value: "name", completes: "models", help: "only sessions that used this model" },
    role: {
      kind: "choice",
      choices: ROLES,
      help: "only what you wrote (user), what the agent wrote (assistant), or what tools ran and returned (tool)",
    },
    limit: {
      kind: "number",
      short: "n",
      value: "n",
      help: `show at most this many hits (default: ${ENOUGH_HITS})`,
    },
    sort: {
      kind: "choice",
      choices: SEARCH_ORDERS,
      help: "best hits first, or those of the most recently active sessions (default: relevance)",
    },
    ...CURSOR_ARG,
    ...NO_REFRESH_ARG,
  },
  examples: [
    { command: "rethread search flaky login", why: "turns with both words" },
    {
      command: 'rethread search timeout "connection reset" --since 30d',
      why: "a word and a phrase, in the last month",
    },
    {
      command: "rethread search rateLim --file src/api",
      why: "the start of an identifier, in sessions that touched src/api",
    },
    { command: "rethread search ECONNRESET --role tool", why: "an error that a command printed" },
  ],
  operations: [search],
  async run({ args, config, out, openApp }) {
    const app = await openApp();
    const { file, ref, tool, model, role, sort, cursor, limit = ENOUGH_HITS } = args;
    const where = {
      ...toWorkFilter(args, config),
      ...(file !== undefined && { file }),
      ...(ref !== undefined && { ref: toReference(ref) }),
      ...(tool !== undefined && { tool }),
      ...(model !== undefined && { model }),
    };
    const input = {
      text: toText(args.words),
      ...where,
      limit,
      ...(role !== undefined && { role }),
      ...(sort !== undefined && { sort }),
      ...(cursor !== undefined && { cursor }),
    };
    const report = await out.progress("Indexing", (call) => search.run(app, input, toCall(call, args)));
    if (args.json) {
      out.json(search.toJson(report, app));
      return 0;
    }
    const setting = {
      words: args.words,
      limit,
      isDemo: app.demo !== undefined,
      isNarrowed: role !== undefined || Object.keys(where).length > 0,
      now: config.now(),
    };
    const isEmpty = report.hits.length === 0 && (await hasNoSessions(app));
    const lines = isEmpty ? printNoSessions(args.noRefresh, out.columns) : printSearch(report, setting, out);
    for (const line of lines) out.line(line);
    return 0;
  },
});

/** Loaded only when nothing was found: the store is known to be there by then. */
async function hasNoSessions(app: App): Promise<boolean> {
  const { list } = await import("../../operations/list.ts");
  return (await list.run(app, { limit: 1 }, { freshness: "stored" })).total === 0;
}

/** The shell takes quotation marks off: of several arguments, one with spaces in it was a phrase. */
const toText = (words: readonly string[]): string =>
  words.map((word) => (words.length > 1 && isPhrase(word) ? `"${word}"` : word)).join(" ");

const isPhrase = (word: string): boolean => /\s/.test(word) && !/"|\b(?:AND|OR|NOT)\b/.test(word);
