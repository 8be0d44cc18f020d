/** Briefings: what they tell, that every fact has its turn, and that the most important facts stay when room is short. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Part, ToolPart, Turn } from "../session/turns.ts";
import { fitBrief, toBrief } from "./brief.ts";
import { toFacts } from "./turn-facts.ts";

const origin = { line: 1, start: 0, end: 1 };
const text = (said: string): Part => ({ kind: "text", text: said, origin });
const tool = (act: ToolPart["act"], status: ToolPart["status"] = "ok", result = ""): Part => ({
  kind: "tool",
  callId: "c",
  name: "bash",
  input: {},
  status,
  result,
  origin,
  ...(act && { act }),
});
const run = (command: string, status: ToolPart["status"] = "ok", result = ""): Part =>
  tool({ does: "run", command }, status, result);
const turn = (index: number, user: string, ...parts: Part[]): Turn => ({
  index,
  user,
  assistant: "",
  attachments: [],
  parts,
  origin,
});

const WORK = [
  turn(
    0,
    "Add retries to the checkout. Never retry a payment twice.",
    tool({ does: "create", paths: ["/srv/shop/src/retry.ts"] }),
    run("npm test", "failed", "Error: no export called retry"),
    text("The cause is a missing export."),
  ),
  turn(
    1,
    "Fix it",
    tool({ does: "edit", paths: ["/srv/shop/src/retry.ts"] }),
    run("npm test"),
    text("I decided on three tries because the bank limits them."),
  ),
  turn(
    2,
    "Commit it",
    run("git commit -m retries", "ok", "[main 1a2b3c4] retries"),
    run("npm run lint", "failed", "2 problems"),
    text("Committed.\n- [ ] document them\nShall I repair the lint errors?"),
  ),
].map(toFacts);

const BRIEF = toBrief(WORK, { workspace: "/srv/shop", tasks: [{ turn: 1, text: "Ask the bank" }] });

const cite = (at: number): string => `copilot-cli:abc turn ${at}, 2026-11-01T10:0${at}:00Z`;

describe("a briefing", () => {
  it("tells goal, state, decisions, files, open questions and errors, each with its turn", () => {
    expect(BRIEF).toEqual({
      goal: [
        { turn: 0, text: "First asked: Add retries to the checkout. Never retry a payment twice." },
        { turn: 2, text: "Last asked: Commit it" },
        { turn: 0, text: "The user insists: Never retry a payment twice." },
      ],
      state: [
        {
          turn: 2,
          text: "Last answer: Committed. - [ ] document them Shall I repair the lint errors?",
        },
        { turn: 2, text: "commit 1a2b3c4" },
        { turn: 2, text: "`npm run lint` failed" },
        { turn: 2, text: "`git commit -m retries` succeeded" },
        { turn: 1, text: "`npm test` succeeded" },
      ],
      decisions: [
        { turn: 1, text: "I decided on three tries because the bank limits them." },
        { turn: 0, text: "The cause is a missing export." },
      ],
      files: [{ turn: 1, text: "src/retry.ts: created, 2 changes" }],
      open: [
        { turn: 2, text: "document them" },
        { turn: 2, text: "Shall I repair the lint errors?" },
        { turn: 1, text: "Ask the bank" },
      ],
      errors: [
        { turn: 2, text: "`npm run lint` still fails: 2 problems" },
        { turn: 0, text: "`npm test` failed: Error: no export called retry (worked in turn 1)" },
      ],
    });
  });

  it("is Markdown in which facts of one turn share a citation", () => {
    const { markdown, left } = fitBrief(BRIEF, cite, () => true);
    expect(left).toEqual({});
    expect(markdown.startsWith(`## Goal\n${cite(0)}\n- First asked: Add retries`)).toBe(true);
    expect(markdown).toContain(
      `## Open questions\n${cite(2)}\n- document them\n- Shall I repair the lint errors?\n${cite(1)}\n- Ask the bank`,
    );
    expect(markdown.match(/^## .*$/gm)).toEqual([
      "## Goal",
      "## State",
      "## Decisions",
      "## Files",
      "## Open questions",
      "## Last errors",
    ]);
  });

  it("keeps what is asked and how it stands when there is little room, and says what is left out", () => {
    const { markdown, left } = fitBrief(BRIEF, cite, (told) => told.length <= 320);
    expect(markdown).toContain("First asked");
    expect(markdown).toContain("Last answer");
    expect(markdown).not.toContain("Decisions");
    expect(left).toMatchObject({ decisions: 2, files: 1 });
  });

  it("says that the last request has no answer, and nothing of an empty session", () => {
    expect(toBrief([toFacts(turn(0, "Hello there"))]).state).toEqual([
      { turn: 0, text: "The last request has no answer yet" },
    ]);
    expect(fitBrief(toBrief([]), cite, () => true)).toEqual({ markdown: "", left: {} });
  });

  it("fits any room that holds nothing, is the same each time, and loses no fact that it does not count", () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.string({ maxLength: 200 }), { maxLength: 6 }), { maxLength: 20 }),
        fc.nat({ max: 4000 }),
        (all, room) => {
          const facts = all.map(([user = "", ...said], index) =>
            toFacts(turn(index, user, ...said.map(text), run(user, "failed", said.join("\n")))),
          );
          const brief = toBrief(facts);
          const make = () => fitBrief(brief, cite, (told) => told.length <= room);
          const { markdown, left } = make();
          expect(markdown.length).toBeLessThanOrEqual(room);
          const told = markdown.split("\n").filter((line) => line.startsWith("- ")).length;
          const count = Object.values(brief).flat().length;
          expect(told + Object.values(left).reduce((sum, each) => sum + each, 0)).toBe(count);
          expect(make()).toEqual({ markdown, left });
        },
      ),
      { numRuns: 60 },
    );
  });
});
