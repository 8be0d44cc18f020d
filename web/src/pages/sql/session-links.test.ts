/** Ids of sessions lead to them, other values lead nowhere. */
import { expect, it } from "vitest";
import { linksOf } from "./session-links.ts";

const ID = "3df380a0-08ec-4c13-8e4f-1e10c5e4c0aa";

it("links an id with its source and turn", () => {
  const linkOf = linksOf({ columns: ["source", "session", "turn", "parent"], rows: [] });
  const row = ["vscode", ID, 7, ID];
  expect(linkOf(row, 1)).toEqual({ key: `vscode:${ID}`, turn: 7 });
  expect(linkOf(row, 3)).toEqual({ key: `vscode:${ID}` });
  expect(linkOf(row, 0)).toBeUndefined();
});

it("links an id without a source as it is, and a name as it is written", () => {
  const linkOf = linksOf({ columns: ["session_id", "text"], rows: [] });
  expect(linkOf([ID, ID], 0)).toEqual({ key: ID });
  expect(linkOf([ID, ID], 1)).toBeUndefined();
  expect(linkOf([ID, "claude-code:abc"], 1)).toEqual({ key: "claude-code:abc" });
  expect(linkOf([5, null], 0)).toBeUndefined();
});
