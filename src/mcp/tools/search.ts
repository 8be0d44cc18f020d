/** `search`: turns by what was said, run, edited or answered, with what they say. */
import { AppError } from "../../model/errors.ts";
import { toReference } from "../../model/session/ref-text.ts";
import { withoutCutWords } from "../../model/text/cut-words.ts";
import { formatKey } from "../../model/values/id.ts";
import { memberOf } from "../../model/values/member.ts";
import { search } from "../../operations/questions/search.ts";
import { turns } from "../../operations/questions/turns.ts";
import { callOf, cite } from "../citation.ts";
import { excerpt, wordsOf } from "../excerpt.ts";
import { filterFields, largerThan, toFilters } from "../inputs.ts";
import { fitItems, type Item } from "../items.ts";
import { defineTool, type Told, type ToolContext } from "../tool.ts";
import { type TurnDetail, type TurnJson, turnText } from "../turn-text.ts";
import { READ_OUTPUT } from "./read.ts";

type Hit = Told<"search">["hits"][number];

/** As many as an answer of the usual size has room for. */
const HITS = 12;
const MOST_HITS = 100;
/** Of each session, and the turn after the best of them: there it is said how it ended. */
const TURNS = 3;

/** Of the best turn, of the turn after it, and of other turns with hits; the longest form first. */
const DETAILS: readonly (readonly [best: TurnDetail, next?: TurnDetail, other?: TurnDetail])[] = [
  [
    { prompt: 1200, text: 800, last: 2400, output: 400 },
    { prompt: 240, text: 0, last: 900 },
    { prompt: 400, text: 0, last: 900 },
  ],
  [
    { prompt: 500, text: 300, last: 900, output: 160 },
    { prompt: 120, text: 0, last: 400 },
    { prompt: 160, text: 0, last: 300 },
  ],
  [
    { prompt: 240, text: 0, last: 400 },
    { prompt: 80, text: 0, last: 200 },
  ],
  [{ prompt: 120, text: 0, last: 160 }],
];

export default defineTool({
  name: "search",
  title: "Search past sessions",
  description:
    'Find what was said, run, edited or answered in past sessions of coding agents on this machine. Use it when something was done, decided or solved before. All words of the query must match; "exact phrases", begin*, either OR or, and -without also work. Answers the best turns with what they say, each cited as source:id turn N, time; read has a whole turn.',
  kind: "question",
  operations: [search, turns],
  input: (z) => {
    const { text, file, tool, model, role, session } = search.input(z).shape;
    return z.strictObject({
      query: text.min(1),
      ...filterFields(z),
      file,
      ref: z
        .string()
        .min(1)
        .exactOptional()
        .describe("only sessions with this reference: pr:42, issue:7, commit:1a2b3c4 or owner/repo#5"),
      tool,
      model,
      role,
      session,
      limit: z
        .int()
        .min(1)
        .max(MOST_HITS)
        .exactOptional()
        .describe(`at most this many hits (default: ${HITS})`),
    });
  },
  async run(input, context) {
    const { query, file, ref, tool, model, role, session, limit = HITS } = input;
    const found = await context.ask("search", {
      text: query,
      limit,
      ...toFilters(input, context.now),
      ...(file !== undefined && { file }),
      ...(ref !== undefined && { ref: toReference(ref) }),
      ...(tool !== undefined && { tool }),
      ...(model !== undefined && { model }),
      ...(role !== undefined && { role }),
      ...(session !== undefined && { session }),
    });
    const sessions = [...Map.groupBy(found.hits, (hit) => formatKey(hit.session)).values()];
    if (sessions.length === 0)
      return {
        head: `Nothing was found${found.missing.length > 0 ? `; these words are nowhere: ${found.missing.join(", ")}` : ""}. Try fewer or other words, or drop a filter; sessions lists what there is.`,
      };
    const words = [...wordsOf(query), ...found.respelt.map(({ used }) => used.toLowerCase())];
    const items = await Promise.all(sessions.map((hits) => toItem(hits, words, context)));
    return {
      head: [
        `${found.hits.length} ${found.hits.length === 1 ? "hit" : "hits"} in ${sessions.length} ${sessions.length === 1 ? "session" : "sessions"}, best first.`,
        ...(found.partial ? ["No turn has all the words; these have some."] : []),
        ...found.respelt.map(({ typed, used }) => `"${typed}" was searched as "${used}".`),
      ].join(" "),
      body(room) {
        const { text, shown, shortened } = fitItems(items, room);
        const left = sessions.length - shown;
        return {
          text,
          cut: [
            ...(left > 0
              ? [
                  `Cut: ${left} more ${left === 1 ? "session" : "sessions"} with hits. To get them: the same search with a larger budget.`,
                ]
              : []),
            ...(shortened.length > 0
              ? ['Shortened. For a whole turn: read {"session":"source:id","from":N,"to":N}']
              : []),
            ...(found.next !== null && limit < MOST_HITS
              ? [
                  `More hits: ${callOf("search", { ...input, limit: Math.min(MOST_HITS, limit * 2), budget: largerThan(context.budget) })}`,
                ]
              : []),
          ],
        };
      },
    };
  },
});

async function toItem(hits: readonly Hit[], words: readonly string[], { ask }: ToolContext): Promise<Item> {
  const [first] = hits;
  if (!first) throw new Error("a session without hits");
  const { session } = first;
  const said = hits.filter((hit) => hit.turn !== null).slice(0, TURNS);
  const title = `in the session "${withoutCutWords(session.title)}"`;
  const beside = hits
    .filter((hit) => hit.turn === null)
    .slice(0, 1)
    .map(
      ({ where, label, snippet }) =>
        `In ${label ?? memberOf(WHERE, where) ?? where}: ${withoutCutWords(snippet)}`,
    );
  // Where only its title or files match, its beginning says what it is about.
  const best = said[0]?.turn ?? 0;
  const read = async (from: number, to: number): Promise<readonly TurnJson[]> => {
    try {
      const name = formatKey(session);
      return (await ask("turns", { session: name, from, to, textLimit: READ_OUTPUT })).turns;
    } catch (error) {
      // Its files may be gone, while the store still knows it.
      if (error instanceof AppError && error.code !== "aborted") return [];
      throw error;
    }
  };
  const near = await read(best, best + 1);
  const others = (
    await Promise.all(said.slice(1).map(({ turn }) => (turn === best + 1 ? [] : read(turn ?? 0, turn ?? 0))))
  ).flat();
  const [turn, next] = near;
  if (!turn && said.length === 0)
    return { forms: [[`${cite(session, null, session.updatedAt)} ${title}`, ...beside].join("\n")] };
  if (!turn) {
    const lines = said.flatMap((hit, at) => [
      `${cite(session, hit.turn, hit.time)}${at === 0 ? ` ${title}` : ""}`,
      excerpt(withoutCutWords(hit.snippet), words, 400),
    ]);
    return { forms: [[...lines, ...beside].join("\n")] };
  }
  const told = (each: TurnJson, detail: TurnDetail): string =>
    `${cite(session, each.index, each.startedAt)}${each === turn ? ` ${title}` : ""}\n${turnText(each, detail, words)}`;
  const forms = DETAILS.map(([ofBest, ofNext, ofOther]) =>
    [
      told(turn, ofBest),
      ...(said.length === 0 ? beside : []),
      ...(next && ofNext ? [told(next, ofNext)] : []),
      ...(ofOther ? others.map((each) => told(each, ofOther)) : []),
    ].join("\n"),
  );
  return { forms: [forms[0] ?? title, ...forms.slice(1)] };
}

const WHERE: Readonly<Record<string, string>> = { session: "its title and files" };
