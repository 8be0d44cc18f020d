import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { expect, it } from "vitest";
import { blows, strikeAll } from "../../../../test/fuzz/blows.ts";
import { NASTY_KEYS, NASTY_VALUES } from "../../../../test/fuzz/nasty.ts";
import { conversations, copilotFiles } from "../../../../test/made-up-turns.ts";
import { eachLine } from "../../../platform/fs/lines.ts";
import { createMemoryFs } from "../../../platform/fs/memory.ts";
import { eventTypes } from "./event-types.ts";
import { plainRecord } from "./plain-record.ts";
import { judge, judgeWhole } from "./records.ts";

const homes = resolve(import.meta.dirname, "../../../../test/fixtures/copilot-cli");
const LOGS = globSync("**/*.jsonl", { cwd: homes }).map((path) => readFileSync(join(homes, path)));
const [PATH, RUNS] = ["/events.jsonl", 500];

/** Compares what both ways say of every line, and counts those that the short one takes. */
async function compare(log: string | Uint8Array): Promise<{ lines: number; short: number }> {
  let [lines, short] = [0, 0];
  await eachLine(createMemoryFs({ [PATH]: log }), PATH, (line) => {
    lines++;
    if (plainRecord(line)) short++;
    // Not by the matchers, which call what values have under the names of methods.
    expect(isDeepStrictEqual(judge(line), judgeWhole(line)), line.bytes.toString()).toBe(true);
  });
  return { lines, short };
}

it("says of every line of the miniature homes what the long way says, and takes most", async () => {
  expect(LOGS.length).toBeGreaterThan(10);
  const counts = await Promise.all(LOGS.map(compare));
  const sum = (of: "lines" | "short"): number => counts.reduce((total, count) => total + count[of], 0);
  expect(sum("short") / sum("lines")).toBeGreaterThan(0.8);
});

it("says the same of damaged logs", async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...LOGS), blows, async (log, damage) => {
      await compare(strikeAll(PATH, log, damage));
    }),
    { numRuns: RUNS },
  );
});

it("says the same of made-up conversations", async () => {
  await fc.assert(
    fc.asyncProperty(conversations, async (steps) => {
      for (const log of Object.values(copilotFiles(1, steps))) await compare(log);
    }),
    { numRuns: RUNS },
  );
});

const nasty = fc.constantFrom(...NASTY_VALUES);
const FIELDS = [
  ...new Set(
    [...eventTypes.values()].flatMap(({ requires = {}, allows = {} }) =>
      Object.keys({ ...requires, ...allows }),
    ),
  ),
  ...["startTime", "ephemeral", "agentId", "parentToolCallId", "id", "type", "data"],
];
const value = fc.oneof(
  { weight: 5, arbitrary: fc.json() },
  { weight: 2, arbitrary: nasty },
  { weight: 2, arbitrary: fc.string().map((text) => JSON.stringify(text)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('[{"toolCallId":"t","name":"n"}]', '{"content":"c"}', '{"message":"m"}'),
  },
);
const members = fc.array(
  fc.tuple(fc.oneof(fc.constantFrom(...FIELDS), fc.constantFrom(...NASTY_KEYS)), value),
  { maxLength: 6 },
);
const toObject = (of: readonly (readonly [string, string])[]): string =>
  `{${of.map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(",")}}`;

/** Data with everything that its type asks for, of the right kind. */
const SOUND: Record<string, string> = {
  ...{
    string: '"a text"',
    integer: "7",
    number: "0.5",
    boolean: "true",
    object: "{}",
    array: "[]",
    any: "null",
  },
};
const ID = "0b6e2c1a-0000-4000-8000-00000000000a";
const USUAL = { between: "", id: ID, time: "2026-01-02T03:04:05.000Z", parent: "null", end: "}" };
/** Ends of lines: most are as usual, of the others one part differs. */
const odd = fc.oneof(
  fc.record({ between: fc.constantFrom(',"agentId":"a"', ',"ephemeral":true', ',"x":{}', "}", " ") }),
  fc.record({ id: fc.constantFrom(ID.toUpperCase(), "not-an-id", "") }),
  fc.record({
    time: fc.constantFrom(
      ...["2026-12-28T23:59:59.999Z", "2026-02-29T00:00:00.000Z", "2026-01-02T24:00:00.000Z"],
      ...["2026-13-01T00:00:00.000Z", "1999-12-28T00:00:00.000Z", "2100-01-01T00:00:00.000Z"],
      ...["2026-01-02T03:04:05Z", "soon"],
    ),
  }),
  fc.record({ parent: fc.constantFrom(`"${ID}"`, '"x"', "7") }),
  fc.record({ end: fc.constantFrom("}\r", "} ", ',"more":1}', "") }),
);
const envelope = fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: odd });
const line = fc.record({
  type: fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...eventTypes.keys()) },
    { weight: 1, arbitrary: fc.string() },
  ),
  isSound: fc.boolean(),
  members,
  bare: fc.option(value),
  envelope,
});

it("says the same of records with any fields", async () => {
  let short = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 8 }), async (records) => {
      const lines = records.map(({ type, isSound, members: some, bare, envelope: parts }) => {
        const { between, id, time, parent, end } = { ...USUAL, ...parts };
        const asked = Object.entries(eventTypes.get(type)?.requires ?? {});
        const sound = asked.map(([field, kind]) => [field, SOUND[kind] ?? "null"] as const);
        const data = bare !== null && !isSound ? bare : toObject([...(isSound ? sound : []), ...some]);
        return `{"type":${JSON.stringify(type)},"data":${data}${between},"id":"${id}","timestamp":"${time}","parentId":${parent}${end}`;
      });
      short += (await compare(lines.join("\n"))).short;
    }),
    { numRuns: 2 * RUNS },
  );
  expect(short).toBeGreaterThan(RUNS);
});
