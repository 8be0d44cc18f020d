/** Summaries made from turns alone: what they tell, that they stay within bounds, and that nothing earlier is lost. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Part, ToolPart, Turn } from "../session/turns.ts";
import { createSummarizer, type Summarizer, titleOf } from "./summarize.ts";
import { SUMMARY_LIMIT, type Summary } from "./summary.ts";

const origin = { line: 1, start: 0, end: 1 };
const text = (said: string): Part => ({ kind: "text", text: said, origin });
const tool = (act: ToolPart["act"], status: ToolPart["status"] = "ok", result = ""): Part => ({
  kind: "tool",
  callId: "c",
  name: act?.does === "run" ? "bash" : "edit",
  input: {},
  status,
  result,
  origin,
  ...(act && { act }),
});
const run = (command: string, status: ToolPart["status"] = "ok", result = ""): Part =>
  tool({ does: "run", command }, status, result);
const edit = (path: string): Part => tool({ does: "edit", paths: [path] });
const turn = (index: number, user: string, ...parts: Part[]): Turn => ({
  index,
  user,
  assistant: "",
  attachments: [],
  parts,
  origin,
  startedAt: `2026-11-0${1 + (index % 9)}T10:00:00.000Z`,
});
const summarizerOf = (...turns: Turn[]): Summarizer => {
  const summarizer = createSummarizer();
  for (const each of turns) summarizer.add(each);
  return summarizer;
};
const lengthOf = ({ title: _, ...sections }: Summary): number => Object.values(sections).join("").length;

const WORK = [
  turn(
    0,
    "Add retries to the checkout. Never retry a payment twice.\n```ts\nconst much = 1;\n```",
    tool({ does: "create", paths: ["/srv/shop/src/retry.ts"] }),
    run("npm test", "failed", "running\nError: retry is not a function\nat x"),
    text("It fails. The cause is a missing export."),
    edit("/srv/shop/src/retry.ts"),
    run("npm test", "ok", "1 passed"),
    text("I decided on three tries because the bank limits them."),
  ),
  turn(
    1,
    "Commit it",
    run("git commit -m retries", "ok", "[main 1a2b3c4] retries"),
    run("npm run lint", "failed", "2 problems"),
    text("Committed.\n- [x] retries\n- [ ] document them\nShall I mend the lint errors?"),
  ),
];

describe("a summary of turns", () => {
  it("tells what was asked, done, decided, broken, mended and left open", () => {
    expect(summarizerOf(...WORK).end({ workspace: "/srv/shop", followed: 3, planned: ["Ship it"] })).toEqual({
      title: "Add retries to the checkout",
      overview: [
        'The first request: "Add retries to the checkout. Never retry a payment twice. […]"',
        'The last request of this part: "Commit it"',
        "This replaces 2 turns, 2026-11-01 to 2026-11-02, summarized from the log: what was asked, done, decided and left open. The later turns follow word for word: 3 turns.",
      ].join("\n"),
      history: [
        '0. The user: "Add retries to the checkout. Never retry a payment twice. […]"',
        "   - Changed src/retry.ts",
        "   - Ran `npm test` (failed), `npm test`",
        '   - The agent: "I decided on three tries because the bank limits them."',
        '1. The user: "Commit it"',
        "   - Ran `git commit -m retries`, `npm run lint` (failed)",
        '   - The agent: "Committed. - [x] retries - [ ] document them Shall I mend the lint errors?"',
      ].join("\n"),
      workDone: [
        "Files created: src/retry.ts",
        "Files edited: src/retry.ts",
        "Commits, pull requests and issues: commit 1a2b3c4",
        "Commands, with their last result:",
        "- `npm run lint` failed, last in turn 1",
        "- `git commit -m retries` succeeded, last in turn 1",
        "- `npm test` succeeded, last in turn 0",
      ].join("\n"),
      technicalDetails: [
        "What the user insisted on:",
        "- Never retry a payment twice.",
        "What failed, and how it ended:",
        "- Turn 1: `npm run lint` failed: 2 problems.",
        "- Turn 0: `npm test` failed: Error: retry is not a function. It worked in turn 0 after changes to src/retry.ts.",
        "Decided and found out:",
        "- The cause is a missing export.",
        "- I decided on three tries because the bank limits them.",
      ].join("\n"),
      importantFiles: "- src/retry.ts: created, 2 changes, last in turn 0",
      nextSteps: [
        "- Left open by the agent: document them",
        "- Left open by the agent: Shall I mend the lint errors?",
        "- `npm run lint` failed since turn 1: 2 problems",
        "- In the plan: Ship it",
      ].join("\n"),
    });
  });

  it("says so where there is nothing to tell, and where the last request has no answer", () => {
    expect(summarizerOf(turn(0, "Hello there")).end()).toMatchObject({
      workDone: "No files were changed and no commands were run in these turns.",
      importantFiles: "None were touched.",
      nextSteps: '- The last request had no answer yet: "Hello there"',
    });
  });

  it("takes an earlier summary up, section by section, and keeps its plans apart", () => {
    const earlier = summarizerOf(...WORK).end();
    const summarizer = summarizerOf(turn(0, "Forgotten"));
    summarizer.restart({ ...earlier, nextSteps: "- Ask the bank" });
    summarizer.add(turn(2, "Go on with it", edit("b.ts"), text("Done.")));
    const summary = summarizer.end();
    expect(JSON.stringify(summary)).not.toContain("Forgotten");
    expect(summary.overview.startsWith(`${earlier.overview}\nAfter that:\nThe next request: "Go on`)).toBe(
      true,
    );
    expect(summary.history.startsWith(`${earlier.history}\nAfter that:\n2. The user`)).toBe(true);
    expect(summary.nextSteps).toBe("Planned before these turns, so perhaps done by now:\n- Ask the bank");
  });

  it("is the earlier one itself where no turn came after it", () => {
    const summarizer = createSummarizer();
    const earlier = summarizerOf(...WORK).end();
    summarizer.restart(earlier);
    expect(summarizer.end()).toEqual(earlier);
  });

  it("tells of hundreds of turns within its bounds: the first, the latest, and how many it passes over", () => {
    const turns = Array.from({ length: 400 }, (_, index) =>
      turn(
        index,
        `Request ${index}: ${"words ".repeat(90)}`,
        edit(`src/${index}.ts`),
        text("Done. ".repeat(80)),
      ),
    );
    const summary = summarizerOf(...turns).end();
    expect(lengthOf(summary)).toBeLessThanOrEqual(SUMMARY_LIMIT);
    expect(summary.history).toMatch(/^0\. The user: "Request 0/);
    expect(summary.history.match(/\n… \d+ more requests …\n/g)?.length).toBeGreaterThan(3);
    expect(summary.history).toContain("399. The user");
  });

  it("stays within twice the limit however often it is taken up, and is the same each time", () => {
    const words = fc.array(fc.string({ maxLength: 400, unit: "grapheme" }), { maxLength: 12 });
    fc.assert(
      fc.property(
        fc.array(words, { minLength: 1, maxLength: 30 }),
        fc.integer({ min: 1500, max: 16_000 }),
        (all, limit) => {
          const make = (): Summary => {
            let earlier: Summary | undefined;
            for (let round = 0; round < 3; round++) {
              const summarizer = createSummarizer();
              summarizer.restart(earlier);
              for (const [index, [user = "", ...said]] of all.entries())
                summarizer.add(
                  turn(index, user.repeat(20), ...said.map(text), run(user, "failed", said.join("\n"))),
                );
              earlier = summarizer.end({ limit });
              expect(lengthOf(earlier)).toBeLessThanOrEqual(2 * limit + 1000);
              expect(JSON.stringify(earlier).isWellFormed()).toBe(true);
            }
            return earlier as Summary;
          };
          expect(make()).toEqual(make());
        },
      ),
      { numRuns: 40 },
    );
  });
});

describe("a title", () => {
  it.each([
    ["Next is the payment timeout: after 90 seconds", "Payment timeout"],
    ["Please, can you add retries to the checkout and the cart?", "Add retries to the checkout"],
    ["Fix", undefined],
    ["", undefined],
    ["日本語 のテスト を書いて", "日本語 のテスト を書いて"],
  ])("of %j is %j", (request, title) => {
    expect(titleOf(request)).toBe(title);
  });
});
