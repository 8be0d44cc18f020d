import { expect, it } from "vitest";
import { createMemoryFs } from "../../../platform/fs/memory.ts";
import { replayLog } from "./mutation-log.ts";

it("replays a log of many thousand turns one by one, not each against all the others", async () => {
  const count = 20_000;
  const lines = [JSON.stringify({ kind: 0, v: { version: 3, sessionId: "s", requests: [] } })];
  for (let i = 0; i < count; i++) {
    lines.push(JSON.stringify({ kind: 2, k: ["requests"], v: [{ requestId: `r${i}`, message: "go" }] }));
    lines.push(JSON.stringify({ kind: 1, k: ["requests", i, "modelState"], v: { value: 1 } }));
  }
  const fs = createMemoryFs({ "/log.jsonl": `${lines.join("\n")}\n` });
  // Comparing every turn with every other at every line would take hours; the test's own time limit is the guard.
  const { turns, changes, faults } = await replayLog(fs, "/log.jsonl", { maxLine: 1 << 20, hold: true });
  expect(faults).toEqual([]);
  expect(turns).toHaveLength(count);
  expect(turns.every((slot) => changes.of(slot).length === 2)).toBe(true);
});
