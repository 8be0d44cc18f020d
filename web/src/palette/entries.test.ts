import { expect, it } from "vitest";
import type { Page } from "../../../src/client/types.ts";
import { entriesFor } from "./entries.ts";

type Listed = Page<"list">["sessions"];
const session = (title: string): Listed[number] =>
  ({
    source: "vscode",
    id: title,
    title,
    repository: "shop",
    branch: null,
    workspace: null,
  }) as Listed[number];
const ACTIONS = [
  "Go to Settings",
  "Use the dark theme",
  "Continue this session",
  "Continue in another program",
  "Clone this session",
  "Delete this session",
].map((label) => ({
  label,
  group: "Everywhere",
  run: () => undefined,
}));
const ways = { open: () => undefined, search: () => undefined };

const offered = (words: string, titles: readonly string[], isBehind = false): string[] =>
  entriesFor(words, { sessions: titles.map(session), isBehind }, ACTIONS, ways).flatMap(({ items }) =>
    items.map(({ label }) => label),
  );

it("has the latest sessions and every action before anything is typed", () => {
  const titles = Array.from({ length: 12 }, (_, at) => `Session ${at}`);
  expect(offered("", titles)).toEqual([...titles.slice(0, 6), ...ACTIONS.map(({ label }) => label)]);
});

it("puts sessions first, then actions, then the search; and first the action that begins so", () => {
  expect(offered("dark", ["Dark mode"])).toEqual([
    "Dark mode",
    "Use the dark theme",
    "Search everything that was said for “dark”",
  ]);
  expect(offered("sett", ["Settle the bill"])[0]).toBe("Go to Settings");
});

it("does not offer what only the words before had found", () => {
  expect(offered("cart", ["Cart total", "Something else"], true)[0]).toBe("Cart total");
  expect(offered("cart", ["Something else"], true)).toEqual(["Search everything that was said for “cart”"]);
  expect(offered("cart", ["Found by its first prompt"])[0]).toBe("Found by its first prompt");
});

it("finds an action by what people call it elsewhere, and puts it first", () => {
  for (const [words, label] of [
    ["hand", "Continue in another program"],
    ["hand over", "Continue in another program"],
    ["handoff", "Continue in another program"],
    ["shorten", "Clone this session"],
    ["cut back", "Clone this session"],
    ["remove", "Delete this session"],
  ] as const)
    expect(offered(words, ["A session"])[0], words).toBe(label);
});
