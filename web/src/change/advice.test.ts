import { expect, it } from "vitest";
import { ApiError } from "../../../src/client/client.ts";
import { adviceOf, inPage } from "./advice.ts";

it.each([
  ["Run the command again in a moment", "Try again in a moment"],
  [
    "Close them there, then run the command again; if they are not open, add --ignore-lock",
    "Close them there, then try again",
  ],
  ["Free some space, then try again", "Free some space, then try again"],
  ["Name another file with --out", ""],
  ["Add --force to replace it, or name another file", ""],
  [
    "Open that folder in VS Code once, close it, then run the command again",
    "Open that folder in VS Code once, close it, then try again",
  ],
  [
    "Import it as a new session with --new-id; you can then compare the two",
    "Import it as a new session; you can then compare the two",
  ],
  ["Use --keep 1, or --append for a summary of everything", ""],
])("says %j in a page as %j", (hint, words) => {
  expect(inPage(hint)).toBe(words);
});

it("has the step as data, and only the words that introduce it", () => {
  const remedy = { action: "rescue", session: "vscode:a" };
  const error = new ApiError(422, {
    code: "unreadable",
    message: "It is damaged",
    hint: "Repair it first: rethread rescue vscode:a",
    say: "Repair it first",
    remedy,
  });
  expect(adviceOf(error)).toEqual({ words: "Repair it first", remedy });
});

it("says nothing of a command where an older server does not send the words", () => {
  const remedy = { action: "history" };
  const error = new ApiError(409, {
    code: "not-undoable",
    message: "No",
    hint: "See: rethread history",
    remedy,
  });
  expect(adviceOf(error)).toEqual({ words: "", remedy });
});

it("is the page's own words for what happens most", () => {
  const error = new ApiError(409, {
    code: "vscode-running",
    message: "VS Code is running",
    hint: "… --when-closed",
  });
  expect(adviceOf(error).words).toBe("Close all its windows, then try again");
  expect(adviceOf(new Error("Loading failed"))).toEqual({ words: "Loading failed" });
});
