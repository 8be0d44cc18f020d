import { expect, it } from "vitest";
import { formatKey, matchName, shortId } from "./id.ts";

const session = {
  source: "claude-code",
  id: "0B1C2d3e-aaaa-4bbb-8ccc-000000000001",
  title: "Fix the flaky login test",
};
const match = (name: string): number | undefined => matchName(name, session, ["claude-code", "vscode"]);

it("fits by id, title, their starts and a part of the title, in that order", () => {
  const ranks = [
    "0b1c2d3e-AAAA-4bbb-8ccc-000000000001",
    "fix the flaky LOGIN test",
    "0b1c",
    "fix the",
    "flaky login",
  ].map(match);
  expect(ranks).toEqual([1, 3, 5, 7, 8]);
});

it("fits a name with its source in front, and only that source", () => {
  expect(match("claude-code:0b1c")).toBe(5);
  expect(match("vscode:0b1c")).toBeUndefined();
});

it("takes a colon that follows no source for part of the title", () => {
  expect(matchName("fix: the bug", { ...session, title: "fix: the bug in parse" }, ["vscode"])).toBe(6);
});

it("fits neither nothing nor two letters in the middle of a title", () => {
  expect(match("")).toBeUndefined();
  expect(match("claude-code:")).toBeUndefined();
  expect(match("ky")).toBeUndefined();
});

it("prints keys and short ids", () => {
  expect(formatKey(session)).toBe("claude-code:0B1C2d3e-aaaa-4bbb-8ccc-000000000001");
  expect(shortId(session.id)).toBe("0B1C2d3e");
  // Of the same minute, these begin alike.
  expect(shortId("01a1eec5-24e2-7161-b425-4271ec347d3f")).toBe("01a1eec5-24e2");
});
