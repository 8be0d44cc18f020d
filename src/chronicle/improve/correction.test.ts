import { describe, expect, it } from "vitest";
import { correctionIn } from "./correction.ts";

describe("a correction", () => {
  it.each([
    ["No, use pnpm instead of npm", "Use pnpm, not npm."],
    ["no, use pnpm, not npm!", "Use pnpm, not npm."],
    ["No, use pnpm", "Use pnpm."],
    ["I said use pnpm", "Use pnpm."],
    ["We use vitest here, not jest.", "Use vitest, not jest."],
    ["Nein, nimm pnpm statt npm", "Use pnpm, not npm."],
    ["Never use floats for money", "Never use floats for money."],
    ["I already told you: never use floats for money.", "Never use floats for money."],
    ["Please don't use floats for money!", "Do not use floats for money."],
    ["We shouldn't use console.log.", "Do not use console.log."],
    ["Stop adding semicolons please", "Avoid adding semicolons."],
    ["Always run the linter before you commit.", "Always run the linter before you commit."],
    ["Looks good. From now on, write tests first.", "Always write tests first."],
  ])("is a rule: %s", (prompt, line) => {
    expect(correctionIn(prompt)).toMatchObject({ line, isGeneral: true });
  });

  it.each([
    ["No, run the linter first", "Run the linter first."],
    ["Don't touch the generated files", "Do not touch the generated files."],
  ])("may be about the task at hand: %s", (prompt, line) => {
    expect(correctionIn(prompt)).toMatchObject({ line, isGeneral: false });
  });

  it.each([
    "No problem, thanks",
    "No, that is fine",
    "No, the second one",
    "Use the other variable instead of the first one",
    "Should we use pnpm instead of npm?",
    "Don't worry about it",
    "Don't commit yet",
    "Don't do that",
    "We don't actually need a migration script.",
    "We shouldn't just assume it's there",
    "Shouldn't we check the version?",
    "I don't see the error",
    "Definitely the best solution so far",
    "> never use floats\n\nWhat do you think of this rule?",
    "```\n// always use pnpm\n```",
    "",
  ])("is none: %s", (prompt) => {
    const found = correctionIn(prompt);
    expect(found === undefined || !found.isGeneral, found?.line).toBe(true);
  });

  it("has the same key however it is said", () => {
    const key = (prompt: string) => correctionIn(prompt)?.key;
    expect(key("No, use pnpm instead of npm")).toBe(key("We use pnpm, not npm."));
    expect(key("Never use floats for money")).toBe(key("don't use floats for money"));
    expect(key("Stop adding semicolons")).toBe(key("Do not add semicolons"));
    expect(key("Never use floats for money")).not.toBe(key("Never use doubles for money"));
  });
});
