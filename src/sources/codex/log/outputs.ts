/** What a tool gave back, without the lines that the program puts before it: its exit code and how long it ran. */
import { asNumber, asObject, asString } from "../../log/jsonl.ts";
import { textsOf } from "./records.ts";

export interface Output {
  readonly text: string;
  readonly status: "ok" | "failed" | "interrupted";
  readonly exitCode?: number;
  readonly durationMs?: number;
}

/** `Chunk ID: …`, `Wall time: …`, `Exit code: …`, then `Output:` and what the command printed. */
const HEADER =
  /^(?:(?:Chunk ID|Wall time|Exit code|Process exited with code|Process running with session ID|Original token count|Total output lines|Script \w+)\b[^\n]*\n)+Output:\n/;
const EXIT = /^(?:Exit code:|Process exited with code) (-?\d+)$/m;
const WALL = /^Wall time:? ([\d.]+) seconds/m;
const FAILED =
  /^(?:unsupported call|unsupported custom tool|failed to parse function arguments|execution error|exec_command failed|apply_patch verification failed|Script failed|Error:)/;
const STOPPED = /^(?:aborted$|(?:Wall time: [\d.]+ seconds\n)?aborted by user)/;

export function readOutput(output: unknown): Output {
  const texts = textsOf(output);
  const whole = texts.join(texts[0]?.endsWith("\n") ? "" : "\n");
  return readRecorded(whole) ?? readPlain(whole);
}

function readPlain(whole: string): Output {
  const header = HEADER.exec(whole)?.[0] ?? "";
  const [exit, wall] = [EXIT.exec(header)?.[1], WALL.exec(header)?.[1]];
  const text = whole.slice(header.length);
  return {
    text,
    status: STOPPED.test(whole) ? "interrupted" : FAILED.test(whole) ? "failed" : "ok",
    ...(exit !== undefined && { exitCode: Number(exit) }),
    // Rounded to tenths, and to nothing for what took less.
    ...(wall !== undefined && Number(wall) > 0 && { durationMs: Math.round(Number(wall) * 1000) }),
  };
}

/** Releases of 2025 gave the model an object. */
function readRecorded(whole: string): Output | undefined {
  if (!whole.startsWith('{"output":')) return undefined;
  try {
    const parsed = asObject(JSON.parse(whole));
    const [text, facts] = [asString(parsed?.output), asObject(parsed?.metadata)];
    if (text === undefined || !facts) return undefined;
    const [exitCode, seconds] = [asNumber(facts.exit_code), asNumber(facts.duration_seconds)];
    return {
      text,
      status: "ok",
      ...(exitCode !== undefined && { exitCode }),
      ...(seconds !== undefined && { durationMs: Math.round(seconds * 1000) }),
    };
  } catch {
    return undefined; // a record that was cut, or a program that prints such a thing
  }
}
