/** Random logs replayed by VS Code's own mutation log and by ours: what we take without a fault, VS Code takes the same. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { createMemoryFs } from "../../src/platform/fs/memory.ts";
import { toTurn } from "../../src/sources/vscode/format/parsed-session.ts";
import { openSession } from "../../src/sources/vscode/format/session-file.ts";
import { loadVsCode } from "./vscode-modules.ts";
import { lines } from "./vscode-templates.ts";

const step = fc.oneof(fc.constantFrom("requests", "response", "a", "list"), fc.integer({ min: 0, max: 3 }));
const turn = fc.record({
  requestId: fc.string({ maxLength: 2 }),
  response: fc.array(fc.integer(), { maxLength: 2 }),
});
const value = fc.oneof(
  fc.integer(),
  fc.constant(null),
  turn,
  fc.array(turn, { maxLength: 3 }),
  fc.array(fc.integer()),
);
const path = fc.oneof(
  fc.constant(["requests"]),
  fc.tuple(fc.constant("requests"), fc.integer({ min: 0, max: 3 })),
  fc.tuple(fc.constant("requests"), fc.integer({ min: 0, max: 3 }), fc.constant("response")),
  fc.array(step, { minLength: 1, maxLength: 4 }),
);
const record = fc.oneof(
  fc.record({ kind: fc.constant(1), k: path, v: value }),
  fc.record(
    {
      kind: fc.constant(2),
      k: path,
      v: fc.array(fc.oneof(turn, fc.integer()), { maxLength: 3 }),
      i: fc.integer({ min: 0, max: 3 }),
    },
    { requiredKeys: ["kind", "k"] },
  ),
  fc.record({ kind: fc.constant(3), k: path }),
  fc.record({ kind: fc.constant(4), k: path }),
);
const session = fc.record({
  a: fc.integer(),
  list: fc.array(fc.integer()),
  requests: fc.array(turn, { maxLength: 3 }),
});

/** Undefined values count as absent for both. */
const plain = (state: unknown): unknown => JSON.parse(JSON.stringify(state));

it("agrees with VS Code on every log that it finds no fault with", async () => {
  const vscode = await loadVsCode();
  let agreed = 0;
  await fc.assert(
    fc.asyncProperty(
      session,
      fc.array(record, { maxLength: 6 }),
      // Held whole, left in the file, or with every line too long to hold.
      fc.constantFrom(undefined, 100, 10),
      async (initial, records, maxLine) => {
        const text = lines({ kind: 0, v: initial }, ...records);
        let theirs: unknown;
        let refusal: unknown;
        try {
          theirs = vscode.readLog(Buffer.from(text));
        } catch (error) {
          refusal = error;
        }
        const { parsed, load } = await openSession(createMemoryFs({ "/s.jsonl": text }), "/s.jsonl", maxLine);
        const made = async (slots: readonly number[] = []) => {
          const turns = [];
          for (const slot of slots) turns.push(await toTurn(parsed.changes.of(slot), load));
          return turns;
        };
        const turns = await made(parsed.turns);
        const gone = [...(await made(parsed.dropped)), ...(await made(parsed.removed))];
        const faults = [...parsed.faults, ...[...turns, ...gone].flatMap((each) => each.faults)];
        if (refusal !== undefined) expect(faults).not.toEqual([]);
        if (refusal !== undefined || faults.length > 0) return;
        agreed++;
        const { requests, ...head } = plain(theirs) as { requests?: unknown };
        expect(plain(parsed.head)).toEqual(head);
        expect(parsed.hasTurns).toBe(Array.isArray(requests));
        if (parsed.hasTurns) expect(plain(turns.map((each) => each.value))).toEqual(requests);
      },
    ),
    { numRuns: 2000, seed: 20261115 },
  );
  expect(agreed).toBeGreaterThan(300);
});
