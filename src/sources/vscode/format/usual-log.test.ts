/** A log that is taken by the beginnings of its lines must tell what it tells when all of it is parsed. */
import fc from "fast-check";
import { expect, it, vi } from "vitest";
import { createMemoryFs } from "../../../platform/fs/memory.ts";
import { toTurn } from "./parsed-session.ts";
import { inSession, inUsualSession, type OpenSession } from "./session-file.ts";

/** Longer than any line here, and so much shorter than the logs that they are not held. */
const MAX_LINE = 3000;
const LONG = "a long text ".repeat(30);

async function tell({ parsed, load }: OpenSession) {
  const turns = [];
  for (const slot of parsed.turns) turns.push(await toTurn(parsed.changes.of(slot), load));
  const { head, hasTurns, faults, removed, dropped } = parsed;
  return {
    ...{ head, hasTurns, faults, gone: [removed?.length, dropped?.length] },
    turns: turns.map(({ value, faults }) => ({ value, faults })),
    places: turns.map((turn) => [[], ["response"], ["result", "x"]].map((path) => turn.originOf(path))),
  };
}

async function expectSame(log: string | Buffer): Promise<void> {
  const fs = createMemoryFs({ "/s.jsonl": log });
  const wanted = await inSession(fs, "/s.jsonl", tell, MAX_LINE);
  expect(await inUsualSession(fs, "/s.jsonl", tell, MAX_LINE)).toEqual(wanted);
}

const line = (record: unknown): string => `${JSON.stringify(record)}\n`;
const START = line({ kind: 0, v: { version: 3, sessionId: "s", requests: [] } });
const turnLines = (index: number): string[] => [
  line({ kind: 2, k: ["requests"], v: [{ requestId: `r${index}`, message: { text: LONG } }] }),
  line({ kind: 2, k: ["requests", index, "response"], v: [{ value: LONG }, { value: `${index}` }] }),
  line({ kind: 1, k: ["requests", index, "result"], v: { x: LONG, metadata: { n: index } } }),
  line({ kind: 1, k: ["requests", index, "modelState"], v: { value: 1 } }),
  line({ kind: 2, k: ["requests", index, "response"], v: [{ value: LONG }], i: 1 }),
];
const COUNT = 12;
const USUAL = [START, ...Array.from({ length: COUNT }, (_, index) => turnLines(index)).flat()];

it("parses a change of a turn once", async () => {
  const fs = createMemoryFs({ "/s.jsonl": USUAL.join("") });
  const parse = vi.spyOn(JSON, "parse");
  try {
    await inUsualSession(fs, "/s.jsonl", tell, MAX_LINE);
    const results = parse.mock.calls.map(([text]) => text).filter((text) => text.includes('"metadata"'));
    expect(results).toHaveLength(COUNT);
  } finally {
    parse.mockRestore();
  }
  await expectSame(USUAL.join(""));
  await expectSame(USUAL.join("").slice(0, -1));
});

const change = (more: string): string => `{"kind":1,"k":["requests",3,"result"],"v":{"x":"${LONG}"}${more}`;
const ODD: Record<string, string | Buffer> = {
  "a line that is torn": change(""),
  "a line that is no JSON": change("]}"),
  "a second path": change(',"k":["requests",4,"result"]}'),
  "a second kind": change(',"kind":3}'),
  "a kind that begins anew": change(',"kind":0}'),
  "a second value": change(',"v":{}}'),
  "a member that nobody knows": change(',"w":{}}'),
  "a list with the length that it is cut to": `{"kind":2,"k":["requests",3,"response"],"v":["${LONG}"],"i":0}`,
  "that length in another place": `{"kind":2,"k":["requests",3,"response"],"v":["${LONG}"],"i":0,"v":["${LONG}"]}`,
  "a turn that is not there": `{"kind":1,"k":["requests",99,"result"],"v":{"x":"${LONG}"}}`,
  "a value below something missing": `{"kind":1,"k":["requests",3,"nowhere","x"],"v":{"x":"${LONG}"}}`,
  "a turn that is replaced": `{"kind":1,"k":["requests",3],"v":{"message":"${LONG}"}}`,
  "turns that are cut off": '{"kind":2,"k":["requests"],"i":2}',
  "turns that are taken away": '{"kind":1,"k":["requests"],"v":[]}',
  "a new beginning": START.trim(),
  "bytes that are no UTF-8": Buffer.from(change("}").replace("long", "l\u00ffng"), "latin1"),
  "a blank line": "   ",
  "a line that is too long": `{"kind":1,"k":["requests",3,"result"],"v":{"x":"${LONG.repeat(20)}"}}`,
};

it.each(Object.entries(ODD))("tells the same with %s", async (_, odd) => {
  for (const at of [USUAL.length, 30, 1]) {
    const parts = [USUAL.slice(0, at).join(""), odd, "\n", USUAL.slice(at).join("")];
    await expectSame(Buffer.concat(parts.map((part) => Buffer.from(part as string))));
  }
});

it("tells the same of any log, damaged or not", async () => {
  const record = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...USUAL) },
    fc.constantFrom(...Object.values(ODD).map((odd) => `${odd}\n`)),
  );
  const cut = fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), bytes: fc.nat(3) });
  await fc.assert(
    fc.asyncProperty(fc.array(record, { maxLength: 12 }), fc.option(cut), async (more, damage) => {
      const log = Buffer.from(USUAL.join("") + more.join(""));
      const at = Math.floor((damage?.at ?? 0) * log.length);
      await expectSame(Buffer.concat([log.subarray(0, at), log.subarray(at + (damage?.bytes ?? 0))]));
    }),
    { numRuns: 150 },
  );
});
