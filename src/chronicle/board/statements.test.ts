import { describe, expect, it } from "vitest";
import { toCommand } from "./commands.ts";
import { findConventions, findDecisions, normalized, sentencesOf } from "./statements.ts";

it("leaves out the no that a rule began with", () => {
  expect(findConventions("No, use pnpm instead of npm")).toEqual(["Use pnpm instead of npm"]);
  expect(findConventions("No test may always pass; we never mock here")).toEqual([
    "No test may always pass; we never mock here",
  ]);
});

describe("conventions", () => {
  it.each([
    "Always run the linter before you commit.",
    "Please never push to main directly.",
    "We use pnpm in all packages, not npm.",
    "From now on, write the tests first.",
    "In this repo we keep migrations in db/migrate.",
    "Prefer small functions over long ones with comments.",
    "Use date-fns instead of moment for new code.",
    "Don't edit the generated client by hand.",
    "Remember to update the changelog with every change.",
    "You should always ask before you add a dependency.",
    "Our naming is kebab-case for files.",
  ])("finds %j", (sentence) => expect(findConventions(sentence)).toEqual([sentence]));

  it.each([
    "The login test fails about one run in ten on CI, never on my machine.",
    "Should we always run the linter first?",
    "It never worked for me on Windows.",
    "Find out why, no changes yet.",
    "Never mind.",
    "```\nAlways run the linter before you commit.\n```",
    "> Always run the linter before you commit.",
    "<log>Always run the linter before you commit.</log>",
    "    Always run the linter before you commit.",
    `Always ${"very ".repeat(60)}long.`,
  ])("does not take %j for one", (text) => expect(findConventions(text)).toEqual([]));

  it("are found among other sentences, and in lists, as they were written", () => {
    const prompt =
      "Fix the cart. Always use integer cents, e.g. 1250!  It is urgent.\n\n1. Use vitest instead of jest\n- Never mock the clock in tests";
    expect(findConventions(prompt)).toEqual([
      "Always use integer cents, e.g. 1250!",
      "Use vitest instead of jest",
      "Never mock the clock in tests",
    ]);
  });
});

describe("decisions", () => {
  it("are sentences that give a reason or a choice", () => {
    expect(
      findDecisions(
        "The checkout is being rebuilt. No library was added, by choice. A double click is harmless because confirming has no row for pay. All tests pass.",
      ),
    ).toEqual([
      "No library was added, by choice.",
      "A double click is harmless because confirming has no row for pay.",
    ]);
  });
});

describe("sentences", () => {
  it("keep their dots, and are the same in other letters", () => {
    expect(sentencesOf("See src/a.ts and v1.2 of it. Then go on with the rest.")).toEqual([
      "See src/a.ts and v1.2 of it.",
      "Then go on with the rest.",
    ]);
    expect(normalized("Always  run `npm test`!")).toBe(normalized("always run npm test"));
  });

  it("are found in no time, however long a text is", () => {
    expect(sentencesOf("a ".repeat(500_000))).toEqual([]);
    expect(findConventions(`${"<a>".repeat(20_000)}${"```".repeat(1000)}${"\t".repeat(50_000)}`)).toEqual([]);
  });
});

describe("commands", () => {
  it.each([
    ["npm test", "npm test", "npm test"],
    ["npm test -- cart checkout", "npm test -- cart checkout", "npm test"],
    ["cd packages/web && npx vitest run src/checkout", "npx vitest run src/checkout", "npx vitest run"],
    ["TZ=UTC npx tsc --noEmit", "TZ=UTC npx tsc --noEmit", "npx tsc"],
    ["npm run build", "npm run build", "npm run build"],
    ["pytest -q tests/test_a.py", "pytest -q tests/test_a.py", "pytest"],
    ["cargo test parser", "cargo test parser", "cargo test"],
    ["./gradlew test", "./gradlew test", "./gradlew test"],
    ["python tools/peak.py a b", "python tools/peak.py a b", "python tools/peak.py a"],
    ["python -m pytest -q", "python -m pytest -q", "python -m pytest"],
    ["npm install --ignore-scripts", "npm install --ignore-scripts", "npm install"],
    ["npm run build && node tools/links.mjs", "npm run build && node tools/links.mjs", "npm run build"],
  ])("%s", (label, text, head) => expect(toCommand(label)).toEqual({ text, head }));

  it.each([
    "git commit -am x",
    "ls etl",
    "src/make.ts",
    "npm test | tail -5",
    "npm install -D left-pad@1",
    "node -e 'a'; rm x",
    "",
    "FOO=1",
  ])("does not take %j for one", (label) => expect(toCommand(label)).toBeUndefined());
});
