import fc from "fast-check";
import { expect, it } from "vitest";
import { contentOf } from "../../../../edit/apply/content.ts";
import { createMemoryFs } from "../../../../platform/fs/memory.ts";
import { toCutRecord } from "../patch/amend.ts";
import { toPieces } from "../patch/amend-text.ts";
import { readState } from "../patch/state.ts";
import { linesOf } from "./kept-lines.ts";

const PATH = "/s.jsonl";
const toLog = (...records: unknown[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join("");

async function cut(log: string, turns: number): Promise<string> {
  const fs = createMemoryFs({ [PATH]: log });
  const parts: Buffer[] = [];
  const { ranges, cuts } = await linesOf(fs, PATH, Buffer.byteLength(log), turns);
  for (const { start, end } of ranges) {
    const inside = cuts.filter((edit) => edit.start >= start && edit.end <= end);
    for await (const chunk of contentOf(toPieces(PATH, end, inside, start), { fs }))
      parts.push(Buffer.from(chunk));
  }
  return Buffer.concat(parts).toString("utf8") + toCutRecord(turns);
}
const stateOf = (log: string) => readState(createMemoryFs({ [PATH]: log }), PATH);

const start = { kind: 0, v: { title: "t", requests: [{ n: 0 }] } };
const push = (n: number, i?: number) => ({
  kind: 2,
  k: ["requests"],
  v: [{ n }],
  ...(i !== undefined && { i }),
});

it("leaves out lines that only concern later turns, and keeps all others as they are", async () => {
  const log = toLog(
    start,
    push(1),
    push(2),
    { kind: 1, k: ["requests", 2, "n"], v: 22 },
    { kind: 1, k: ["requests", 0, "n"], v: 7 },
    push(3, 3),
    { kind: 1, k: ["title"], v: "later" },
  );
  expect(await cut(log, 2)).toBe(
    toLog(
      start,
      push(1),
      { kind: 1, k: ["requests", 0, "n"], v: 7 },
      { kind: 1, k: ["title"], v: "later" },
      { kind: 2, k: ["requests"], i: 2 },
    ),
  );
});

it("leaves no byte of later turns, wherever they stand", async () => {
  const turnOf = (n: number, size = 1) => ({ n, text: "later".repeat(n * size) });
  for (const size of [1, 1 << 20]) {
    const log = toLog(
      { kind: 0, v: { requests: [turnOf(0), turnOf(0), turnOf(1, size), turnOf(2)], title: "t" } },
      { kind: 2, k: ["requests"], v: [turnOf(0), turnOf(3), turnOf(4)], i: 1 },
      { kind: 1, k: ["requests"], v: [turnOf(0), turnOf(0), turnOf(5)] },
    );
    const made = await cut(log, 2);
    expect(made).not.toContain("later");
    expect(await stateOf(made)).toEqual({ title: "t", requests: [turnOf(0), turnOf(0)] });
  }
});

it("keeps what came again after turns were taken away", async () => {
  const log = toLog(start, push(1), push(2), { kind: 2, k: ["requests"], i: 1 }, push(5), push(6));
  expect(await stateOf(await cut(log, 2))).toEqual({ title: "t", requests: [{ n: 0 }, { n: 5 }] });
});

it("is the first turns of the session, however it came about", async () => {
  const turn = fc.record({ n: fc.nat(99) });
  const record = fc.oneof(
    fc.record({ kind: fc.constant("push"), v: fc.array(turn, { maxLength: 3 }), at: fc.option(fc.nat(9)) }),
    fc.record({ kind: fc.constant("set"), at: fc.nat(9), v: turn }),
    fc.record({ kind: fc.constant("field"), at: fc.nat(9), v: fc.nat() }),
    fc.record({ kind: fc.constant("all"), v: fc.array(turn, { maxLength: 3 }) }),
  );
  let tried = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(record, { maxLength: 12 }),
      fc.integer({ min: 1, max: 4 }),
      async (made, turns) => {
        const records: unknown[] = [start];
        let length = 1;
        for (const each of made) {
          const at = "at" in each && typeof each.at === "number" ? each.at % (length + 1) : undefined;
          if (each.kind === "push") {
            records.push({ kind: 2, k: ["requests"], v: each.v, ...(at !== undefined && { i: at }) });
            length = (at ?? length) + (each.v as unknown[]).length;
          } else if (each.kind === "all") {
            records.push({ kind: 1, k: ["requests"], v: each.v });
            length = (each.v as unknown[]).length;
          } else if (each.kind === "set") {
            records.push({ kind: 1, k: ["requests", at], v: each.v });
            length = Math.max(length, (at ?? 0) + 1);
          } else if (at !== undefined && at < length)
            records.push({ kind: 1, k: ["requests", at, "n"], v: each.v });
        }
        if (length < turns) return;
        tried++;
        const whole = (await stateOf(toLog(...records))) as { requests: unknown[] };
        expect(await stateOf(await cut(toLog(...records), turns))).toEqual({
          ...whole,
          requests: whole.requests.slice(0, turns),
        });
      },
    ),
    { numRuns: 1500, seed: 20261116 },
  );
  expect(tried).toBeGreaterThan(300);
});
