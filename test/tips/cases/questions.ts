/** Cases about what is asked: again, too briefly, of too large a model, or with a log pasted in. */
import { daysAgo, no, ordinary, session, type TipCase, turn, yes } from "../case.ts";

const again = { yes: yes("question-again"), no: no("question-again") };
const vague = { yes: yes("vague-start"), no: no("vague-start") };
const large = { yes: yes("large-model"), no: no("large-model") };
const pasted = { yes: yes("pasted-output"), no: no("pasted-output") };
const nudged = { yes: yes("nudged"), no: no("nudged") };

const asked = (
  question: string,
  days: number,
  told: { answer?: string | null; id?: string; repository?: string } = {},
) =>
  session(
    told.id ?? `asked-${days}`,
    [
      turn(question, {
        at: daysAgo(days),
        answer: told.answer === undefined ? "Like this, in three steps." : told.answer,
      }),
    ],
    { branch: `b${days}`, ...(told.repository !== undefined && { repository: told.repository }) },
  );
const opened = (prompt: string, days: number, answer: string) =>
  session(
    `opened-${days}`,
    [
      turn(prompt, { at: daysAgo(days), answer }),
      turn("The checkout page, of course", { answer: "I see, done." }),
    ],
    { branch: `b${days}` },
  );

const LOG = Array.from(
  { length: 140 },
  (_, at) =>
    `2026-11-10T09:${String(at % 60).padStart(2, "0")}:00Z ERROR worker ${at}: connection to 10.0.0.${at} refused, retrying in ${at} s`,
).join("\n");
const TRACE = Array.from(
  { length: 120 },
  (_, at) =>
    `    at com.acme.shop.cart.CartService.step${at}(CartService.java:${100 + at}) ~[shop-1.0.jar:1.0]`,
).join("\n");
const LETTER =
  "We want the customers to see at once what they have in the cart, what it costs with taxes and shipping, and when it will arrive. ".repeat(
    75,
  );

const small = (count: number, model: string, told: { calls?: number; output?: number } = {}) =>
  session(
    "small",
    Array.from({ length: count }, (_, at) =>
      turn(
        [
          "What does git stash do?",
          "Capital letters in SQL, or not?",
          "How do I undo a commit?",
          "Is HEAD~1 the parent?",
          "What is a monad?",
          "UTC or local time in logs?",
          "tabs or spaces in Go?",
        ][at % 7] + (at > 6 ? ` (${at})` : ""),
        {
          model,
          tokens: { input: 9000, output: told.output ?? 120 },
          answer: "A short answer.",
          calls: Array.from({ length: told.calls ?? 0 }, () => ({ label: "ls" })),
        },
      ),
    ),
  );

export const questionCases: readonly TipCase[] = [
  again.yes("word for word, weeks apart", [
    asked("How do I run a single test of the payments module?", 40),
    asked("How do I run a single test of the payments module?", 6),
  ]),
  again.yes("in other words of the same kind", [
    asked("How can I run just one test of the payments module?", 30, { id: "a" }),
    asked("how do i run one single test in the payments module", 3, { id: "b" }),
  ]),
  again.yes("three times", [
    asked("Which environment variables does the worker need to start locally?", 60),
    asked("Which environment variables does the worker need to start locally?", 31),
    asked("What environment variables does the worker need to start locally?", 2),
  ]),
  again.yes("in two repositories", [
    asked("Why does the pre-commit hook fail with exit code 127?", 20, { id: "a" }),
    asked("Why does the pre-commit hook fail with exit code 127 ?", 9, { id: "b", repository: "acme/site" }),
  ]),
  again.yes("in German", [
    asked("Wie spiele ich einen Datenbank-Dump in die lokale Umgebung ein?", 35),
    asked("Wie spiele ich einen Datenbank-Dump in die lokale Umgebung ein?", 4),
  ]),
  again.no("an order that is given often", [
    asked("Commit everything and push the branch", 12),
    asked("Commit everything and push the branch", 8),
    asked("Commit everything and push the branch", 2),
  ]),
  again.no("again at once, because there was no answer", [
    asked("How do I run a single test of the payments module?", 5, { id: "a", answer: null }),
    asked("How do I run a single test of the payments module?", 4, { id: "b" }),
  ]),
  again.no("alike, but about something else", [
    asked("How do I run the tests of the payments module?", 20),
    asked("How do I delete the tests of the shipping module?", 3),
  ]),
  again.no("a short one that can mean anything", [
    asked("What do you think?", 20),
    asked("What do you think?", 10),
    asked("Any ideas?", 5),
    asked("Any ideas?", 3),
  ]),
  again.no("twice in one session", [
    session("s", [
      "How do I run a single test of the payments module?",
      turn("Add the test for refunds"),
      "How do I run a single test of the payments module?",
    ]),
  ]),

  vague.yes("three times a word or two", [
    opened("Fix it", 12, "What should I fix? I see no error."),
    opened("tests broken", 8, "Which tests do you mean?"),
    opened("help", 3, "With what can I help you? Please describe the problem you see."),
  ]),
  vague.yes("four times, politely", [
    opened("please continue", 20, "Continue with what? There is no earlier work in this session."),
    opened("look again", 15, "At which file should I look?"),
    opened("make faster", 9, "What should be faster: the build or the page?"),
    opened("wrong colours", 2, "Where do you see wrong colours?"),
  ]),
  vague.yes("in another language", [
    opened("Mach weiter", 14, "Womit soll ich weitermachen?"),
    opened("Geht nicht", 9, "Was genau geht nicht, und welche Meldung erscheint?"),
    opened("kaputt", 4, "Was ist kaputt?"),
  ]),
  vague.no("short, and clear enough", [
    opened("Run tests", 12, "All 212 tests pass."),
    opened("Update dependencies", 8, "Updated nine packages; the build passes."),
    opened("Fix lint", 3, "Fixed four warnings."),
  ]),
  vague.no("long, and the agent asks all the same", [
    opened("The discount is applied twice when a coupon and a sale meet", 12, "Which of the two should win?"),
    opened("Give the admin page a filter by country and by currency", 8, "Should the filters combine?"),
    opened("Let the importer skip empty lines at the end of a file", 3, "Only at the end?"),
  ]),
  vague.no("twice", [
    opened("Fix it", 12, "What should I fix?"),
    opened("help", 3, "With what?"),
    ...ordinary(2, 20),
  ]),

  large.yes("a large model for six small questions", [small(6, "claude-opus-4.5")]),
  large.yes("a large model as a lexicon", [small(12, "claude-opus-4-1-20250805")]),
  large.yes("the dearest model of another vendor", [small(7, "gpt-5-pro")]),
  large.no("a small model for small questions", [small(12, "gpt-5-mini")]),
  large.no("a large model that works", [small(9, "claude-opus-4.5", { calls: 4 })]),
  large.no("a large model that writes at length", [small(8, "claude-opus-4.5", { output: 2400 })]),
  large.no("a few small questions on the way", [
    small(3, "claude-opus-4.5"),
    session(
      "work",
      Array.from({ length: 14 }, (_, at) =>
        turn(`Step ${at} of the plan, as agreed: the ${"abcdefghijklmn"[at]} part`, {
          model: "claude-opus-4.5",
          tokens: { output: 1800 },
          calls: [{ label: "ls" }],
        }),
      ),
    ),
  ]),
  large.no("a middling model", [small(9, "claude-sonnet-4.5")]),

  pasted.yes("logs, three times", [
    session("s", [turn(`What is this?\n${LOG}`), turn(`And this?\n${LOG}`), turn(`Still:\n${LOG}`)]),
  ]),
  pasted.yes(
    "stack traces in four sessions",
    [1, 2, 3, 4].map((at) => session(`s${at}`, [turn(`Crash number ${at}\n${TRACE}`)], { branch: `b${at}` })),
  ),
  pasted.yes("a log and two listings", [
    session("s", [turn(`${LOG}\nWhy?`), turn(`Here is the listing\n${TRACE}`), turn(`One more\n${LOG}`)]),
  ]),
  pasted.no("a long letter of wishes", [
    session("s", [turn(LETTER), turn(`${LETTER} Also on phones.`), turn(`Once more, in short: ${LETTER}`)]),
  ]),
  pasted.no("twice", [session("s", [turn(`What is this?\n${LOG}`), turn(`And this?\n${LOG}`), "Thanks"])]),
  pasted.no("short excerpts", [
    session(
      "s",
      Array.from({ length: 6 }, (_, at) =>
        turn(`Excerpt ${at}:\n${LOG.split("\n").slice(0, 12).join("\n")}`),
      ),
    ),
  ]),

  nudged.yes("continue, and again", [
    session("s", [
      "Translate all pages of the handbook into French",
      "continue",
      "continue",
      "continue",
      "continue",
    ]),
  ]),
  nudged.yes("in many words for the same", [
    session("s", [
      "Port the tests to vitest",
      "go on",
      "keep going",
      "next",
      "Continue please.",
      "and now the rest",
    ]),
  ]),
  nudged.yes("in German", [
    session("s", [
      "Stelle alle Seiten auf das neue Layout um",
      "weiter",
      "mach weiter",
      "weiter",
      "Weiter so!",
    ]),
  ]),
  nudged.no("three times", [session("s", ["Translate the pages", "continue", "continue", "go on"])]),
  nudged.no("one step after another, each named", [
    session("s", [
      "Rebuild the checkout",
      "Continue with shipping",
      "Next: payment",
      "Now the summary page",
      "Go on with the mails",
      "Continue with the tests",
    ]),
  ]),
  nudged.no(
    "once in each of five sessions",
    [1, 2, 3, 4, 5].map((at) =>
      session(`s${at}`, [`Translate chapter ${at}, the one about ${"abcde"[at - 1]}`, "continue"], {
        branch: `b${at}`,
      }),
    ),
  ),
];
