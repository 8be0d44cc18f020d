import { expect, it } from "vitest";
import { contentOf } from "../../../../edit/apply/content.ts";
import { createMemoryFs } from "../../../../platform/fs/memory.ts";
import { type Amendment, EACH } from "./amend.ts";
import { editLines } from "./amend-log.ts";
import { toPieces } from "./amend-text.ts";
import { amendState, readState } from "./state.ts";

const PATH = "/s.jsonl";
const AMENDMENTS: Amendment[] = [
  { path: ["sessionId"], value: "new" },
  { path: ["requests", EACH, "result", "metadata", "sessionId"], value: "new" },
  {
    path: ["requests", EACH, "result", "metadata", "toolCallRounds", EACH, "statefulMarker"],
    value: undefined,
  },
];
const toLog = (...records: unknown[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join("");
const round = (id: number) => ({
  statefulMarker: { at: [id] },
  id,
  toolCalls: [{ statefulMarker: "a name" }],
});
const turn = (n: number) => ({
  n,
  sessionId: "of a turn",
  result: { metadata: { toolCallRounds: [round(n), { id: 2 }], sessionId: "old" } },
});

async function edited(log: string): Promise<string> {
  const fs = createMemoryFs({ [PATH]: log });
  const pieces = toPieces(PATH, Buffer.byteLength(log), await editLines(fs, PATH, AMENDMENTS));
  const parts: Buffer[] = [];
  for await (const chunk of contentOf(pieces, { fs })) parts.push(Buffer.from(chunk));
  return Buffer.concat(parts).toString("utf8");
}

const METADATA = ["requests", 0, "result", "metadata"];
const RECORDS = {
  "all at once": [{ kind: 0, v: { sessionId: "old", requests: [turn(0), turn(1)] } }],
  "pushed turns": [{ kind: 2, k: ["requests"], v: [turn(1), turn(2)], i: 1 }],
  "a whole turn": [{ kind: 1, k: ["requests", 0], v: turn(5) }],
  "an answer's result": [{ kind: 1, k: ["requests", 0, "result"], v: turn(6).result }],
  "pushed rounds": [{ kind: 2, k: [...METADATA, "toolCallRounds"], v: [round(7)] }],
  "one round": [{ kind: 1, k: [...METADATA, "toolCallRounds", 0], v: round(8) }],
  "the very values": [
    { kind: 1, k: [...METADATA, "sessionId"], v: "old" },
    { kind: 1, k: [...METADATA, "toolCallRounds", 0, "statefulMarker"], v: "mark" },
  ],
  "the value before the path": [{ v: [turn(3)], kind: 2, k: ["requests"] }],
};
const START = { kind: 0, v: { sessionId: "old", title: 1.5, requests: [turn(0)] } };

it.each(Object.entries(RECORDS))(
  "changes what every turn says, in lines that bring %s",
  async (_, records) => {
    const log = toLog(START, ...records).replace("1.5", "1.50");
    const after = await edited(log);
    expect(after).toContain('"title":1.50');
    const [wanted, found] = [
      amendState(
        await readState(createMemoryFs({ [PATH]: log }), PATH),
        AMENDMENTS.filter(({ path }) => path.includes(EACH)),
      ),
      await readState(createMemoryFs({ [PATH]: after }), PATH),
    ];
    expect(JSON.parse(JSON.stringify(found))).toEqual(JSON.parse(JSON.stringify(wanted)));
    expect(JSON.stringify(found)).toContain('{"statefulMarker":"a name"}');
  },
);

it("reads lines that are too long to hold by their outline", async () => {
  const long = { ...turn(1), filler: "x".repeat(5 << 20) };
  const log = toLog(START, { kind: 2, k: ["requests"], v: [long] }, { kind: 0, v: { requests: [long] } });
  const after = await edited(log);
  expect(after).not.toContain('"sessionId":"old"}');
  expect(after.match(/"statefulMarker":\{/g)).toBeNull();
  expect(after.length).toBeLessThan(log.length);
});

it("leaves lines alone that say nothing of it", async () => {
  const log = toLog({ kind: 0, v: { requests: [{ n: 1 }] } }, { kind: 1, k: ["text"], v: '"sessionId"' });
  expect(await edited(log)).toBe(log);
});

it("finds what is to change behind and between many lines that say nothing of it", async () => {
  const silent = Array.from({ length: 40 }, (_, i) => ({ kind: 1, k: ["requests", 0, "n"], v: i }));
  const turns = [START, ...silent, { kind: 1, k: ["requests", 0], v: turn(5) }, ...silent];
  const log = toLog(...turns, { kind: 2, k: ["requests"], v: [turn(1)] }, ...silent);
  expect(await edited(log)).toBe(
    log.replaceAll(/"statefulMarker":\{[^}]*\},/g, "").replaceAll('"sessionId":"old"}', '"sessionId":"new"}'),
  );
});
