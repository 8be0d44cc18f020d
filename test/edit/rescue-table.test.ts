/** Every damage that people have met: what doctor finds, what a rescue reports first, and how many bytes it could not keep. */
import { rmSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { EditPlan } from "../../src/model/plan.ts";
import { fixOf } from "../../src/model/problem.ts";
import { diagnose, inNeedOfRescue } from "../../src/query/doctor.ts";
import { MUTATIONS, seeded, soundLines } from "../real/copilot-rescue-mutations.ts";
import { createEditHome, type EditHome, ID } from "./home.ts";

let home: EditHome;
beforeEach(() => {
  home = createEditHome();
  rmSync(home.file("inuse.999999999.lock"));
});
afterEach(() => home.remove());

const LINES = soundLines(ID);
const SOUND = `${LINES.join("\n")}\n`;
const lostIn = ({ repairs = [] }: EditPlan): number =>
  repairs.reduce((sum, { isLost, start = 0, end = 0 }) => sum + (isLost ? end - start : 0), 0);
const findings = async () => {
  const diagnosis = await diagnose(home.catalog);
  return { code: diagnosis.problems.find(fixOf)?.code, needed: inNeedOfRescue(diagnosis) };
};
const plan = (): Promise<EditPlan> => home.edit().planRescue(ID);

type Row = [damage: string, found: string, report: string, lost: number];
const TABLE: Row[] = [
  ["a NUL tail", "record-unreadable", "NUL bytes, as left by a crash", 3135],
  ["NULs over the end", "record-torn", "a record that stops before its content", 739],
  ["NULs instead of a line", "record-unreadable", "NUL bytes, as left by a crash", 300],
  ["a torn last line", "record-torn", "a record that stops before its content", 56],
  ["a torn line in the middle", "record-unreadable", "not a record or part of one", 10],
  ["two joined lines", "record-unreadable", "not alone on its line: split", 0],
  ["all lines joined", "session-start-missing", "not alone on its line: split", 0],
  [
    "a torn line joined to the next",
    "record-unreadable",
    "a record that stops in the middle: what is left of it was kept",
    0,
  ],
  [
    "raw line breaks in a text",
    "record-unreadable",
    "line breaks or other control characters inside a string: escaped",
    0,
  ],
  [
    "U+2028 in a text",
    "record-marked",
    "line breaks or other control characters inside a string: escaped",
    0,
  ],
  ["U+2028 between lines", "session-start-missing", "not alone on its line: split", 0],
  ["a byte order mark", "record-marked", "not alone on its line: split", 0],
  ["a byte order mark inside", "record-marked", "not alone on its line: split", 0],
  ["an id that is none", "record-invalid", '"id" is not a UUID: repaired', 0],
  ["no id", "record-invalid", '"id" is not a UUID: repaired', 0],
  ["no timestamp", "record-invalid", '"timestamp" is not a date and time with a timezone: repaired', 0],
  [
    "a timestamp without a timezone",
    "record-invalid",
    '"timestamp" is not a date and time with a timezone: repaired',
    0,
  ],
  ["no parentId", "record-invalid", '"parentId" is neither a UUID nor null: repaired', 0],
  ["a parentId that is none", "record-invalid", '"parentId" is neither a UUID nor null: repaired', 0],
  ["no data", "record-invalid", 'tool.execution_start has no "data": repaired', 0],
  ["a missing field", "record-invalid", 'tool.execution_start lacks "toolCallId": repaired', 0],
  [
    "a field of another kind",
    "record-invalid",
    '"toolCallId" of tool.execution_start is not text: repaired',
    0,
  ],
  ["a result that is a bare text", "record-invalid", '"result" is not an object: repaired', 0],
  ["no session.start", "session-start-missing", "session.start is missing: one was added at the start", 0],
  [
    "a torn session.start",
    "session-start-missing",
    "a record that stops in the middle: what is left of it was kept",
    0,
  ],
  ["session.start elsewhere", "session-start-late", "session.start is not at the start: moved there", 0],
  ["an empty log", "session-empty", "the log is empty: a session.start was added", 0],
  ["nothing but NULs", "session-start-missing", "NUL bytes, as left by a crash", 4096],
  ["one record written into another", "record-unreadable", "not alone on its line: split", 0],
  [
    "one line written into another",
    "record-unreadable",
    "the other half of a record that begins in line 16: joined",
    0,
  ],
  ["bytes that are not UTF-8", "record-encoding", "bytes that are not UTF-8", 2],
  ["a line of 5 MB that lacks its id", "record-invalid", '"id" is not a UUID: repaired', 0],
];

describe("a damaged log", () => {
  it("is in the table, whatever its damage", () => {
    expect(TABLE.map(([damage]) => damage)).toEqual(Object.keys(MUTATIONS));
  });

  it.each(TABLE)("with %s is found as %s", async (damage, found, report, lost) => {
    const mutate = MUTATIONS[damage];
    writeFileSync(home.file("events.jsonl"), mutate?.(LINES, seeded(1)) ?? "");
    expect(await findings()).toEqual({ code: found, needed: [`copilot-cli:${ID}`] });
    const rescue = await plan();
    expect({ report: rescue.repairs?.[0]?.what, lost: lostIn(rescue) }).toEqual({ report, lost });
    expect(rescue.losses.length > 0).toBe(lost > 0);
    await home.edit().apply(rescue);
    expect(await findings()).toEqual({ code: undefined, needed: [] });
  });
});

describe("damage around a log", () => {
  beforeEach(() => writeFileSync(home.file("events.jsonl"), SOUND));

  it.each([
    [
      "lock-stale",
      "a lock of a process that no longer runs: removed",
      () => writeFileSync(home.file("inuse.999999999.lock"), "999999999\n"),
    ],
    [
      "sidecar-missing",
      "workspace.yaml is missing: created from the log",
      () => rmSync(home.file("workspace.yaml")),
    ],
  ] as const)("is found as %s", async (found, report, damage) => {
    damage();
    expect(await findings()).toEqual({ code: found, needed: [`copilot-cli:${ID}`] });
    const rescue = await plan();
    expect(rescue.repairs?.map(({ what }) => what)).toEqual([report]);
    await home.edit().apply(rescue);
    expect(await findings()).toEqual({ code: undefined, needed: [] });
  });
});

describe("what the program accepts", () => {
  it.each([
    ["nothing odd", SOUND],
    ["CRLF", SOUND.replaceAll("\n", "\r\n")],
    ["blank lines", SOUND.replaceAll("\n", "\n\n")],
    ["two session.start", `${LINES[0]}\n${SOUND}`],
    ["a record without a type", `${SOUND}{"data":{}}\n`],
    ["a type from the future", `${SOUND}${(LINES[1] ?? "").replace("user.message", "new.kind")}\n`],
  ])("is left alone: %s", async (_, log) => {
    writeFileSync(home.file("events.jsonl"), log);
    expect((await findings()).needed).toEqual([]);
    expect((await plan()).steps).toEqual([]);
  });
});
