/** Both forms of a session file, held in memory or left on disk, must tell the same. */
import { describe, expect, it } from "vitest";
import { createMemoryFs } from "../../../platform/fs/memory.ts";
import { type Fault, toTurn } from "./parsed-session.ts";
import { openSession } from "./session-file.ts";

interface Read {
  readonly head: unknown;
  readonly turns: unknown[];
  readonly lines: number[];
  readonly faults: readonly Fault[];
}

async function open(name: string, content: string | Uint8Array, maxLine?: number): Promise<Read> {
  const { parsed, load } = await openSession(createMemoryFs({ [`/${name}`]: content }), `/${name}`, maxLine);
  const turns = [];
  for (const slot of parsed.turns) turns.push(await toTurn(parsed.changes.of(slot), load));
  return {
    head: parsed.head,
    turns: turns.map((turn) => turn.value),
    lines: turns.map((turn) => turn.originOf([]).line),
    faults: [...parsed.faults, ...turns.flatMap((turn) => turn.faults)],
  };
}
const log = (...records: unknown[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join("");
const turn = (text: string, more: object = {}): object => ({ requestId: text, message: { text }, ...more });

const LOG = log(
  { kind: 0, v: { customTitle: "old", requests: [turn("a"), turn("b")], inputState: { inputText: "x" } } },
  { kind: 1, k: ["customTitle"], v: "new" },
  { kind: 2, k: ["requests"], v: [turn("c"), turn("d")], i: 1 },
  { kind: 2, k: ["requests", 1, "response"], v: [{ value: "hey" }] },
  { kind: 1, k: ["requests", 3], v: turn("e") },
  { kind: 3, k: ["inputState", "inputText"] },
);
const TOLD: Read = {
  head: { customTitle: "new", inputState: { inputText: undefined } },
  turns: [turn("a"), turn("c", { response: [{ value: "hey" }] }), turn("d"), turn("e")],
  lines: [1, 4, 3, 5],
  faults: [],
};

describe("a log", () => {
  it("is replayed into its last state", async () => {
    expect(await open("s.jsonl", LOG)).toEqual(TOLD);
  });

  // 300 leaves values in the file; 100 makes some of the lines too long to hold, 20 all of them.
  it.each([300, 100, 20])("tells the same when no more than %i bytes of a line are held", async (limit) => {
    expect({ ...(await open("s.jsonl", LOG, limit)), faults: [] }).toEqual(TOLD);
  });

  it("knows an empty list of turns when its line is too long to hold", async () => {
    const text = log({ kind: 0, v: { requests: [turn("a")] } }, { kind: 1, k: ["requests"], v: [] });
    const { parsed } = await openSession(createMemoryFs({ "/s.jsonl": text }), "/s.jsonl", 10);
    expect(parsed).toMatchObject({ hasTurns: true, turns: [], faults: [] });
  });

  it("cuts long texts of a turn that is larger than a line may be, and says so", async () => {
    const long = "y".repeat(200_000);
    const parsed = await open("s.jsonl", log({ kind: 0, v: { requests: [turn("a"), turn(long)] } }), 1000);
    expect(parsed.turns).toEqual([turn("a"), turn(long.slice(0, 65_536))]);
    expect(parsed.faults).toEqual([
      { code: "too-large", line: 1, message: "268928 bytes of long texts were left out of a turn" },
    ]);
  });

  it("keeps the whole turns of a first record that is torn, long or short", async () => {
    const torn = log({ kind: 0, v: { version: 3, requests: [turn("a"), turn("b")] } }).slice(0, -12);
    const expected = { head: { version: 3 }, turns: [turn("a"), { requestId: "b" }], lines: [1, 1] };
    expect(await open("s.jsonl", torn)).toMatchObject(expected);
    expect(await open("s.jsonl", torn, 20)).toMatchObject(expected);
  });

  it.each<[string, unknown[]]>([
    ["a push to a turn", [{ kind: 2, k: ["requests", 0], v: [1] }]],
    ["a list of turns that is none", [{ kind: 1, k: ["requests"], v: 7 }]],
    [
      "a turn in a list that was deleted",
      [
        { kind: 3, k: ["requests"] },
        { kind: 1, k: ["requests", 0], v: turn("b") },
      ],
    ],
  ])("does not follow %s", async (_name, records) => {
    const { faults } = await open("s.jsonl", log({ kind: 0, v: { requests: [turn("a")] } }, ...records));
    expect(faults.map((fault) => fault.code)).toEqual(["record-invalid"]);
  });

  it("keeps changed turns that were taken away, for what is wrong with them", async () => {
    const text = log(
      { kind: 0, v: { requests: [turn("a"), turn("b")] } },
      { kind: 1, k: ["requests", 1, "x", "y"], v: 1 },
      { kind: 2, k: ["requests"], i: 1 },
    );
    const { parsed, load } = await openSession(createMemoryFs({ "/s.jsonl": text }), "/s.jsonl");
    const [gone = Number.NaN] = parsed.dropped ?? [];
    expect((await toTurn(parsed.changes.of(gone), load)).faults).toMatchObject([
      { code: "record-invalid", line: 2 },
    ]);
  });

  it("remembers the turns that a later record took away", async () => {
    const emptied = log({ kind: 0, v: { requests: [turn("a")] } }, { kind: 2, k: ["requests"], i: 0 });
    const { parsed } = await openSession(createMemoryFs({ "/s.jsonl": emptied }), "/s.jsonl");
    expect(parsed).toMatchObject({ turns: [], hasTurns: true });
    expect(parsed.removed?.map(parsed.changes.of)).toMatchObject([[{ held: { value: turn("a") } }]]);
  });
});

describe("a document", () => {
  const document = { version: 3, customTitle: "t", requests: [turn("a"), turn("b")] };
  const expected: Read = {
    head: { version: 3, customTitle: "t" },
    turns: [turn("a"), turn("b")],
    lines: [1, 1],
    faults: [],
  };

  it.each([undefined, 50])("is read whole or turn by turn, on one line or many (limit %s)", async (limit) => {
    expect(await open("s.json", JSON.stringify(document), limit)).toEqual(expected);
    expect(await open("s.json", JSON.stringify(document, null, 2), limit)).toEqual(expected);
  });

  it.each([undefined, 50])("keeps the turns before the place where it is torn (limit %s)", async (limit) => {
    const torn = JSON.stringify({ version: 3, requests: [turn("a"), turn("b")] }).slice(0, -5);
    expect(await open("s.json", torn, limit)).toMatchObject({
      head: { version: 3 },
      turns: [turn("a"), { requestId: "b" }],
      faults: [{ code: "record-torn" }, { code: "record-unreadable" }],
    });
  });

  it("is read behind a byte order mark, which VS Code does not do", async () => {
    const message = "there is a byte order mark before the document";
    expect(await open("s.json", `\ufeff${JSON.stringify(document)}`)).toEqual({
      ...expected,
      faults: [{ code: "record-unreadable", line: 1, message }],
    });
  });
});
