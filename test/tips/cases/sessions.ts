/** Cases about sessions as a whole: left open, compacted, corrected, and without instructions. */
import { daysAgo, no, ordinary, session, type TipCase, turn, yes } from "../case.ts";

const open = { yes: yes("left-open"), no: no("left-open") };
const lost = { yes: yes("compaction-lost-task"), no: no("compaction-lost-task") };
const often = { yes: yes("compacted-often"), no: no("compacted-often") };
const bare = { yes: yes("no-instructions"), no: no("no-instructions") };
const corrected = { yes: yes("correction-again"), no: no("correction-again") };

const ended = (id: string, days: number, answer: string | null, told: object = {}) =>
  session(
    id,
    [turn(`Prepare the ${id} release notes and ask me when unsure`, { at: daysAgo(days), answer })],
    { branch: `b-${id}`, ...told },
  );
const failed = (id: string, days: number) =>
  session(
    id,
    [
      turn(`Deploy the ${id} service to staging`, {
        at: daysAgo(days),
        answer: "It did not work.",
        calls: [{ label: `make deploy-${id}`, status: "failed" }],
      }),
    ],
    { branch: `b-${id}` },
  );
const compacted = (user: string) => turn(user, { isCompacted: true });
/** Work on one thing after another, none of it said twice. */
const filler = (count: number, from = 0) => WORK.slice(from, from + count).map((user) => turn(user));
const WORK = [
  "Move customers to the new table",
  "Keep old order numbers readable",
  "Write the index on country codes",
  "Drop unused columns of invoices",
  "Check foreign keys of payments",
  "Let the backfill run in batches",
  "Show progress on the console",
  "Log skipped rows with a reason",
  "Measure the night job",
  "Explain the plan of the slow query",
  "Split the helper file by topic",
  "Name the constants properly",
  "Translate error texts",
  "Add a switch for dry runs",
  "Retry when the network is down",
  "Close connections at the end",
  "Sort results by postal code",
  "Hide prices from guests",
  "Round weights up to grams",
  "Accept dates without a year",
  "Warn about duplicate e-mails",
  "Test leap days",
  "Draw the diagram again",
  "Shorten the readme",
  "Bump the schema version",
  "Remove the feature flag",
  "Compare sums before and after",
  "Save a sample of the input",
  "Describe how to roll back",
  "Ask the linter about all of it",
];
/** A session in which something was said after the first answer. */
const saying = (id: string, days: number, ...said: string[]) =>
  session(id, [turn(`Task ${id}: work on the ${id} part of the shop`, { at: daysAgo(days) }), ...said], {
    branch: `b-${id}`,
  });
const inRepository = (count: number, folder: string, repository: string) =>
  ordinary(count, 3, { workspace: folder, repository }).map((each) => ({
    ...each,
    turns: [
      ...each.turns,
      turn("Also update the changelog"),
      turn("And the date in the footer"),
      turn("Thank you, that is all for now"),
    ],
  }));

export const sessionCases: readonly TipCase[] = [
  open.yes("three questions that nobody answered", [
    ended("spring", 30, "Which of the two versions should I describe?"),
    ended("summer", 20, "I found 4 breaking changes.\n\nShould I list them at the top?"),
    ended("autumn", 10, "Shall I also mention the new icons?"),
  ]),
  open.yes("failed, interrupted and asked", [
    failed("mail", 25),
    ended("winter", 15, null),
    ended("easter", 8, "Do you want them in English?"),
    failed("search", 6),
  ]),
  open.yes("answers that never came", [
    ended("one", 40, null),
    ended("two", 30, null),
    ended("three", 9, null),
  ]),
  open.no("continued later on the same branch", [
    ...["a", "b", "c"].map((id, at) => ended(id, 20 + at, "Which one should I take?")),
    ...["a", "b", "c"].map((id, at) =>
      session(`${id}-later`, [turn(`Take the first for ${id}, and finish it`, { at: daysAgo(10 + at) })], {
        branch: `b-${id}`,
      }),
    ),
  ]),
  open.no("only since yesterday", [
    ended("x", 1, "Which one?"),
    ended("y", 1, "Should I continue with the second one?"),
    ended("z", 2, "Do you prefer the short form?"),
  ]),
  open.no("two", [ended("p", 20, "Which one?"), ended("q", 12, null), ...ordinary(3, 30)]),
  open.no("polite last words", [
    ended("k", 20, "The notes are ready. Anything else?"),
    ended(
      "l",
      15,
      "Done, all four pages are there. Let me know if you need more. Is there anything else I can help with?",
    ),
    ended("m", 10, "Published. What would you like to do next?"),
  ]),

  lost.yes("the task is told again", [
    session("s", [
      "Rewrite the importer so that it streams rows instead of loading the whole file",
      ...filler(4),
      compacted("Now the error handling"),
      "Please rewrite the importer so that it streams rows instead of loading the whole file into memory",
    ]),
  ]),
  lost.yes("a reproach right after it", [
    session("s", [
      "Keep the public API of the cart as it is while you split the module",
      ...filler(3),
      compacted("Now the totals"),
      "As I said before, keep the public API of the cart as it is",
    ]),
  ]),
  lost.yes("you forgot", [
    session("s", [
      "Port everything to the new client, no new dependencies",
      ...filler(5),
      compacted("Continue with the retries"),
      turn("You forgot that we do not add dependencies"),
    ]),
  ]),
  lost.yes("I already told you", [
    session("s", [
      "The numbers are in cents, never floats",
      ...filler(3),
      compacted("Now the invoice"),
      "ok",
      "I already told you that the numbers are in cents",
    ]),
  ]),
  lost.no("a new task follows", [
    session("s", [
      "Rewrite the importer so that it streams rows",
      ...filler(4),
      compacted("Now the error handling"),
      "Write the release notes for all of it",
    ]),
  ]),
  lost.no("told again, but without a compaction", [
    session("s", [
      "Keep the public API of the cart as it is",
      ...filler(2),
      "As I said before, keep the public API of the cart as it is",
    ]),
  ]),
  lost.no("long after the compaction", [
    session("s", [
      "Keep the public API of the cart as it is",
      compacted("Now the totals"),
      ...filler(6),
      "As I said before, keep the public API of the cart",
    ]),
  ]),
  lost.no("a word that is always said", [
    session("s", ["continue", "continue", compacted("go on"), "continue"]),
  ]),

  often.yes("four compactions", [
    session("s", [
      ...filler(2),
      compacted("Part two of the rewrite, please"),
      compacted("Part three of the rewrite"),
      ...filler(2, 2),
      compacted("The tests of part three"),
      compacted("The documents for part three"),
    ]),
  ]),
  often.yes("three in one long day", [
    session("s", [
      ...filler(9),
      compacted("Now the second half"),
      ...filler(9, 9),
      compacted("Now the tests"),
      ...filler(9, 18),
      compacted("Now the documents"),
    ]),
  ]),
  often.yes("three of Claude Code", [
    session(
      "s",
      [compacted("The first half of it"), compacted("The second half of it"), compacted("The rest of it")],
      { source: "claude-code" },
    ),
  ]),
  often.no("two", [
    session("s", [
      ...filler(5),
      compacted("Now the second half"),
      ...filler(5, 5),
      compacted("Now the documents"),
    ]),
  ]),
  often.no(
    "one in each of four sessions",
    [1, 2, 3, 4].map((at) =>
      session(
        `s${at}`,
        [`Chapter ${at}: the ${"abcd"[at - 1]} story`, compacted("Now the second half of it")],
        { branch: `b${at}` },
      ),
    ),
  ),
  often.no("a long session without any", [session("s", filler(30))]),

  bare.yes("seven sessions, and no instructions", inRepository(7, "/srv/bare", "acme/bare"), {
    instructions: { "/srv/bare": false },
  }),
  bare.yes("a dozen sessions", inRepository(12, "/srv/bare", "acme/bare"), {
    instructions: { "/srv/bare": false },
  }),
  bare.yes(
    "one of two repositories",
    [
      ...inRepository(6, "/srv/bare", "acme/bare"),
      ...ordinary(6, 40, { workspace: "/srv/told", repository: "acme/told" }),
    ],
    {
      instructions: { "/srv/bare": false, "/srv/told": true },
    },
  ),
  bare.no("it has some", inRepository(9, "/srv/told", "acme/told"), { instructions: { "/srv/told": true } }),
  bare.no("the folder is gone", inRepository(9, "/srv/gone", "acme/gone")),
  bare.no("three sessions", inRepository(3, "/srv/bare", "acme/bare"), {
    instructions: { "/srv/bare": false },
  }),

  corrected.yes("pnpm, twice", [
    saying("a", 20, "No, use pnpm instead of npm"),
    saying("b", 6, "no, use pnpm, not npm"),
  ]),
  corrected.yes("never floats", [
    saying("a", 30, "Never use floats for money"),
    saying("b", 12, "Don't use floats for money!"),
    saying("c", 4, "I said: never use floats for money."),
  ]),
  corrected.yes("the test runner", [
    saying("a", 25, "We use vitest here, not jest."),
    saying("b", 5, "Please use vitest, not jest"),
  ]),
  corrected.yes("tabs, with a reproach", [
    saying("a", 18, "Stop adding semicolons"),
    saying("b", 7, "Again: stop adding semicolons please"),
  ]),
  corrected.yes("in German", [
    saying("a", 21, "Nein, nimm pnpm statt npm"),
    saying("b", 8, "Nein, bitte pnpm statt npm verwenden"),
  ]),
  corrected.no("once", [saying("a", 20, "No, use pnpm instead of npm"), saying("b", 6, "Looks good")]),
  corrected.no("twice in the same session", [
    saying("a", 20, "No, use pnpm instead of npm", "I said use pnpm instead of npm"),
  ]),
  corrected.no("two different ones", [
    saying("a", 20, "No, use pnpm instead of npm"),
    saying("b", 6, "Don't touch the generated files"),
  ]),
  corrected.no("no, but no correction", [
    saying("a", 20, "No problem, thanks"),
    saying("b", 15, "No, that is fine"),
    saying("c", 9, "No idea either"),
    saying("d", 4, "No, that is fine"),
  ]),
  corrected.no("choices of the moment", [
    saying("a", 20, "No, the second one"),
    saying("b", 6, "No, the second one"),
  ]),
  corrected.no("asked, not told", [
    saying("a", 20, "Should we use pnpm instead of npm?"),
    saying("b", 6, "Would you use pnpm instead of npm?"),
  ]),
];
