/** Transcripts of Claude Code damaged at random, the same for the same seed: lines, bytes, and what rows say of others. */
import { linesOf } from "../edit/claude-bases.ts";
import { BYTE_DAMAGES, type ByteDamage } from "../fuzz/byte-damage.ts";
import { writeTranscript } from "./claude-rows.ts";

type Row = Record<string, unknown>;
type Numbers = (below: number) => number;

/** Every turn with parallel calls, whose results come the other way round. */
function parallel(): string[] {
  const t = writeTranscript();
  for (let turn = 0; turn < 4; turn++) {
    const reply = `reply-of-${turn}`;
    t.prompt(`Prompt ${turn}`);
    t.reminder(`Reminder ${turn}`);
    t.answer([{ type: "thinking", thinking: `Thought ${turn}`, signature: "c2lnbmVk" }], { reply });
    const first = t.call(`a${turn}`, { reply });
    t.call(`b${turn}`, { reply });
    t.result(`b${turn}`);
    t.goTo(first);
    t.result(`a${turn}`);
    t.answer(`Answer ${turn}`);
    t.note({ type: "last-prompt", lastPrompt: `Prompt ${turn}`, leafUuid: "unknown" });
  }
  return t.lines;
}

/** With a branch that was left, and an answer that the compaction preserved. */
function preserving(): string[] {
  const t = writeTranscript();
  t.prompt("Prompt 0");
  const answer = t.answer("Answer 0");
  t.prompt("A dead end");
  t.answer("Left.");
  t.goTo(answer);
  t.prompt("Prompt 1");
  const kept = t.answer("Answer 1");
  t.compact([kept]);
  t.prompt("Prompt 2");
  t.call("c2");
  t.result("c2");
  t.answer("Answer 2");
  t.prompt("Prompt 3");
  t.answer("Answer 3");
  return t.lines;
}

const BASES: readonly (() => string[])[] = [
  () => [...linesOf("plain")],
  () => [...linesOf("compacted")],
  () => [...linesOf("rewound")],
  parallel,
  preserving,
];

const ROW_DAMAGES: readonly ((row: Row, ids: readonly string[], number: number) => void)[] = [
  (row) => void Reflect.deleteProperty(row, "uuid"),
  (row) => void Reflect.deleteProperty(row, "parentUuid"),
  (row) => void Reflect.deleteProperty(row, "message"),
  (row) => void Reflect.deleteProperty(row, "timestamp"),
  (row) => void Reflect.deleteProperty(row, "type"),
  (row) => void Object.assign(row, { parentUuid: null }),
  (row) => void Object.assign(row, { parentUuid: "gone" }),
  (row, ids, number) => void Object.assign(row, { parentUuid: ids[number % ids.length] }),
  (row, ids, number) => void Object.assign(row, { uuid: ids[number % ids.length] }),
  (row) => void Object.assign(row, { isSidechain: true }),
  (row) => void Object.assign(row, { message: { role: "user", content: [null, { type: "text" }, "words"] } }),
  (row) => void Object.assign(row, { type: "hologram" }),
  (row) => void Object.assign(row, { timestamp: "2020-01-01T00:00:00.000Z" }),
  (row) => void Object.assign(row, { timestamp: "2030-01-01T00:00:00.000Z" }),
];

const LINE_DAMAGES: readonly ((lines: string[], below: Numbers) => void)[] = [
  (lines, below) => {
    const [one, other] = [below(lines.length), below(lines.length)];
    [lines[one], lines[other]] = [lines[other] ?? "", lines[one] ?? ""];
  },
  (lines, below) => {
    const at = below(lines.length);
    if (at + 1 < lines.length) [lines[at], lines[at + 1]] = [lines[at + 1] ?? "", lines[at] ?? ""];
    below(lines.length);
  },
  (lines, below) => {
    const at = below(lines.length);
    below(lines.length);
    lines.splice(at, 1 + below(3));
  },
  (lines, below) => {
    const [from, to] = [below(lines.length), below(lines.length)];
    lines.splice(to, 0, ...lines.splice(from, 1));
  },
  (lines, below) => {
    const [from, to] = [below(lines.length), below(lines.length)];
    lines.splice(to, 0, lines[from] ?? "");
  },
];

/** One to three blows. */
export function damagedAtRandom(seed: number): Buffer {
  const below = numbersOf(seed * 7919 + 13);
  const lines = BASES[below(BASES.length)]?.() ?? [];
  const ids = lines.flatMap((line) => JSON.parse(line).uuid ?? []);
  let bytes = toBytes(lines);
  for (let blows = 1 + below(3); blows > 0; blows--) {
    const kind = below(LINE_DAMAGES.length + 3);
    if (kind === 0) {
      const how = Object.keys(BYTE_DAMAGES)[below(Object.keys(BYTE_DAMAGES).length)] ?? "";
      bytes = (BYTE_DAMAGES[how] as ByteDamage)(bytes, below(bytes.length), 1 + below(400));
      continue;
    }
    const now = bytes.toString("utf8").replace(/\n$/, "").split("\n");
    const change = LINE_DAMAGES[kind - 1];
    if (change) change(now, below);
    else damageRow(now, ids, below);
    bytes = toBytes(now);
  }
  return bytes;
}

const toBytes = (lines: readonly string[]): Buffer => Buffer.from(lines.map((line) => `${line}\n`).join(""));

function damageRow(lines: string[], ids: readonly string[], below: Numbers): void {
  const at = below(lines.length);
  below(lines.length);
  try {
    const row = JSON.parse(lines[at] ?? "");
    ROW_DAMAGES[below(ROW_DAMAGES.length)]?.(row, ids, below(1000));
    lines[at] = JSON.stringify(row);
  } catch {
    // An earlier blow left no row there.
  }
}

/** Mulberry32: small, and the same everywhere. */
function numbersOf(seed: number): Numbers {
  let state = seed >>> 0;
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
}
