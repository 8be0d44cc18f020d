/** `rethread search`: finds turns. */

import type { Config } from "../../../app/config.ts";
import type { App } from "../../../app/contract.ts";
import { AppError } from "../../../model/errors.ts";
import { toReference } from "../../../model/session/ref-text.ts";
import { ROLES } from "../../../model/session/role.ts";
import { SEARCH_ORDERS } from "../../../model/session/search-order.ts";
import { hubSearch } from "../../../operations/hub/hub-questions.ts";
import { ENOUGH_HITS, search } from "../../../operations/questions/search.ts";
import { toCall } from "../../calling.ts";
import { defineCommand } from "../../command.ts";
import { CURSOR_ARG, HUB_ARG, NO_REFRESH_ARG, toWorkFilter, WORK_FILTER_ARGS } from "../../filters.ts";
import type { Output } from "../../output.ts";
import { printNoSessions, printSearch } from "../../print/answers/search.ts";

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
    ...HUB_ARG,
    person: {
      kind: "list",
      value: "name",
      help: "with --hub: only sessions of this person; may be repeated",
    },
    team: { kind: "text", value: "name", help: "with --hub: only what is shared with this team" },
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
    { command: "rethread search --hub flaky login", why: "the same in what your team has pushed to the hub" },
  ],
  operations: [search, hubSearch],
  json: [{ schema: search.output }, { when: "with `--hub`", schema: hubSearch.output }],
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
    if (args.hub) return searchHub(app, input, args, { config, out });
    if (args.person.length > 0 || args.team !== undefined)
      throw new AppError("usage", "--person and --team are for the hub", "Add --hub");
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

async function searchHub(
  app: App,
  { tags, ...input }: Parameters<typeof search.run>[1],
  args: {
    readonly words: readonly string[];
    readonly person: readonly string[];
    readonly team: string | undefined;
  } & {
    readonly json: boolean;
  },
  { config, out }: { readonly config: Config; readonly out: Output },
): Promise<number> {
  if (tags)
    throw new AppError("usage", "Tags are kept on this machine, and the hub has none", "Leave out --tag");
  const { json, person: people, team, words } = args;
  const asked = { ...input, ...(people.length > 0 && { people }), ...(team !== undefined && { team }) };
  const answer = await out.progress("Asking the hub", (call) => hubSearch.run(app, asked, call));
  if (json) {
    out.json(hubSearch.toJson(answer, app));
    return 0;
  }
  const { toHubReport } = await import("../../hub/searching.ts");
  const { unreachableText } = await import("../../../present/text/unreachable.ts");
  const { text: _, limit = ENOUGH_HITS, sort: __, cursor: ___, ...where } = asked;
  const setting = {
    ...{ words, limit, isDemo: false, now: config.now(), hub: answer.hub },
    isNarrowed: Object.keys(where).length > 0,
  };
  for (const line of printSearch(toHubReport(answer), setting, out)) out.line(line);
  const missing = unreachableText(answer.unreachable);
  if (missing !== undefined) out.note(`This is ${missing}.`);
  return 0;
}

/** Loaded only when nothing was found: the store is known to be there by then. */
async function hasNoSessions(app: App): Promise<boolean> {
  const { list } = await import("../../../operations/questions/list.ts");
  return (await list.run(app, { limit: 1 }, { freshness: "stored" })).total === 0;
}

/** The shell takes quotation marks off: of several arguments, one with spaces in it was a phrase. */
const toText = (words: readonly string[]): string =>
  words.map((word) => (words.length > 1 && isPhrase(word) ? `"${word}"` : word)).join(" ");

const isPhrase = (word: string): boolean => /\s/.test(word) && !/"|\b(?:AND|OR|NOT)\b/.test(word);
