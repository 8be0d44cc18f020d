/** Ways in which logs of Copilot CLI get damaged, each at a place that a seed decides. */
import { event } from "./copilot-corners.ts";

export type Random = () => number;

/** Mulberry32: small, and the same numbers everywhere. */
export function seeded(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const TURNS = 4;

/** A sound log: prompts, calls and their results, texts with line breaks and letters of several bytes. */
export function soundLines(id: string): string[] {
  const start = event("session.start", {
    sessionId: id,
    version: 1,
    producer: "copilot-agent",
    copilotVersion: "1.0.102",
    startTime: "2026-01-02T03:04:05.000Z",
  });
  const turns = Array.from({ length: TURNS }, (_, turn) => [
    event("user.message", { content: `Prompt ${turn}:\nwhat about "Zürich" → {"type":"x"}?` }),
    event("assistant.turn_start", { turnId: String(turn) }),
    event("assistant.message", {
      messageId: `m${turn}`,
      content: `Looking, ${turn}`,
      toolRequests: [{ toolCallId: `call-${turn}`, name: "view", arguments: { path: `/a/${turn}.ts` } }],
    }),
    event("tool.execution_start", { toolCallId: `call-${turn}`, toolName: "view" }),
    event("tool.execution_complete", {
      toolCallId: `call-${turn}`,
      success: true,
      result: { content: `line one of ${turn}\n\tline two` },
    }),
    event("assistant.message", { messageId: `n${turn}`, content: `Answer ${turn} ✓` }),
    event("assistant.turn_end", { turnId: String(turn) }),
  ]);
  return [start, ...turns.flat()].map((record) => JSON.stringify(record));
}

type Mutation = (lines: string[], random: Random) => string | Buffer;

const text = (lines: readonly string[]): string => `${lines.join("\n")}\n`;
const pick = (random: Random, below: number, from = 0): number =>
  from + Math.floor(random() * (below - from));
/** Any line but the first. */
const place = (lines: readonly string[], random: Random): number => pick(random, lines.length, 1);

function changed(lines: string[], at: number, change: (record: Record<string, unknown>) => void): string {
  const record = JSON.parse(lines[at] ?? "");
  change(record);
  return text(lines.with(at, JSON.stringify(record)));
}
const onRecord =
  (change: (record: Record<string, unknown>, random: Random) => void): Mutation =>
  (lines, random) =>
    changed(lines, place(lines, random), (record) => change(record, random));
/** A prompt's line, parted inside of its text. */
function halves(lines: string[], random: Random): { at: number; first: string; second: string } {
  const at = 1 + 7 * pick(random, TURNS);
  const line = lines[at] ?? "";
  const cut = line.indexOf("what about") + pick(random, 8);
  return { at, first: line.slice(0, cut), second: line.slice(cut) };
}

export const MUTATIONS: Readonly<Record<string, Mutation>> = {
  "a NUL tail": (lines, random) => text(lines) + "\0".repeat(pick(random, 5000, 1)),
  "NULs over the end": (lines, random) => {
    const bytes = Buffer.from(text(lines));
    return bytes.fill(0, bytes.length - pick(random, 900, 20));
  },
  "NULs instead of a line": (lines, random) => text(lines.with(place(lines, random), "\0".repeat(300))),
  "a torn last line": (lines, random) => text(lines).slice(0, -pick(random, 150, 3)),
  "a torn line in the middle": (lines, random) => {
    const at = place(lines, random);
    return text(lines.with(at, (lines[at] ?? "").slice(0, pick(random, 200, 10))));
  },
  "two joined lines": (lines, random) => {
    const at = place(lines.slice(1), random);
    return text(lines.toSpliced(at, 2, `${lines[at]}${lines[at + 1]}`));
  },
  "all lines joined": (lines) => lines.join(""),
  "a torn line joined to the next": (lines, random) => {
    const at = place(lines.slice(1), random);
    return text(lines.toSpliced(at, 2, `${(lines[at] ?? "").slice(0, 90)}${lines[at + 1]}`));
  },
  "raw line breaks in a text": (lines, random) => {
    const { at, first, second } = halves(lines, random);
    return text(lines.with(at, `${first}\n\n${second}`));
  },
  "U+2028 in a text": (lines, random) => {
    const { at, first, second } = halves(lines, random);
    return text(lines.with(at, `${first}\u2028${second}`));
  },
  "U+2028 between lines": (lines) => lines.join("\u2028"),
  "a byte order mark": (lines) => `\ufeff${text(lines)}`,
  "a byte order mark inside": (lines, random) => {
    const at = place(lines, random);
    return text(lines.with(at, `\ufeff${lines[at]}`));
  },
  "an id that is none": onRecord((record) => void Object.assign(record, { id: "7" })),
  "no id": onRecord((record) => void Reflect.deleteProperty(record, "id")),
  "no timestamp": onRecord((record) => void Reflect.deleteProperty(record, "timestamp")),
  "a timestamp without a timezone": onRecord((record) =>
    Object.assign(record, { timestamp: "2026-01-02T03:04:05" }),
  ),
  "no parentId": onRecord((record) => void Reflect.deleteProperty(record, "parentId")),
  "a parentId that is none": onRecord((record) => void Object.assign(record, { parentId: 12 })),
  "no data": onRecord((record) => void Reflect.deleteProperty(record, "data")),
  "a missing field": onRecord((record, random) => {
    const data = record.data as object;
    const fields = Object.keys(data).filter((field) => field !== "toolRequests" && field !== "result");
    Reflect.deleteProperty(data, fields[pick(random, fields.length)] ?? "");
  }),
  "a field of another kind": onRecord((record, random) => {
    const data = record.data as Record<string, unknown>;
    const fields = Object.keys(data);
    data[fields[pick(random, fields.length)] ?? ""] = 5;
  }),
  "a result that is a bare text": (lines) =>
    changed(lines, 5, (record) => void Object.assign(record.data as object, { result: "bare" })),
  "no session.start": (lines) => text(lines.slice(1)),
  "a torn session.start": (lines, random) =>
    text(lines.with(0, (lines[0] ?? "").slice(0, pick(random, 160, 5)))),
  "session.start elsewhere": (lines, random) =>
    text(lines.slice(1).toSpliced(place(lines, random), 0, lines[0] ?? "")),
  "an empty log": () => "",
  "nothing but NULs": () => "\0".repeat(4096),
  "one record written into another": (lines, random) => {
    const { at, first, second } = halves(lines, random);
    return text(lines.toSpliced(at, 2, `${first}${lines[at + 1]}`, second));
  },
  "one line written into another": (lines, random) => {
    const { at, first, second } = halves(lines, random);
    return text(lines.toSpliced(at, 2, first, lines[at + 1] ?? "", second));
  },
  "bytes that are not UTF-8": (lines, random) => {
    const { at, first, second } = halves(lines, random);
    return Buffer.concat([
      Buffer.from(`${lines.slice(0, at).join("\n")}\n${first}`),
      Buffer.from([0xff, 0xc3, 0x28]),
      Buffer.from(`${second}\n${text(lines.slice(at + 1))}`),
    ]);
  },
  "a line of 5 MB that lacks its id": (lines, random) =>
    changed(lines, 1 + 7 * pick(random, TURNS), (record) => {
      Object.assign(record.data as object, { content: "long ".repeat(1 << 20) });
      Reflect.deleteProperty(record, "id");
    }),
};
