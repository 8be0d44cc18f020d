import { expect, it } from "vitest";
import { createMemoryFs } from "../../../platform/fs/memory.ts";
import { readSpent } from "./spent.ts";

const receipt = (inputTokens: number, outputTokens: number, duration: number): string =>
  `${JSON.stringify({ type: "session.usage_record", data: { usage: { inputTokens, outputTokens, duration } } })}\n`;

it("adds up the receipts behind a place, and nothing else", async () => {
  const before = receipt(1, 2, 3);
  const log = [
    before,
    receipt(100, 20, 7),
    `${JSON.stringify({ type: "user.message", data: { content: "what is a session.usage_record?" } })}\n`,
    receipt(200, 30, 8),
    '{"type":"session.usage_record", torn',
  ].join("");
  const fs = createMemoryFs({ "/log": log });
  expect(await readSpent(fs, "/log", before.length)).toEqual({
    inputTokens: 300,
    outputTokens: 50,
    apiMs: 15,
  });
  expect(await readSpent(fs, "/log", 0)).toMatchObject({ inputTokens: 301 });
  expect(await readSpent(createMemoryFs({ "/log": "{}\n" }), "/log", 0)).toEqual({});
});
