/** What the made-up logs of all sources share: a writer, ids, times, sizes. */
import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import type { Texts } from "./text.ts";

export interface Shape {
  readonly seed: number;
  /** About this many bytes in all. */
  readonly bytes: number;
  /** One line of about this many bytes, with a tool result, in the middle. */
  readonly longLine?: number;
  /** No other tool result is larger: the smaller they are, the more rows there are to a megabyte. */
  readonly largest?: number;
  /** Said once, in a prompt. */
  readonly needle?: string;
}

export interface Made {
  readonly turns: number;
  readonly bytes: number;
  readonly path: string;
}

export type Make = (texts: Texts, root: string, shape: Shape) => Made;

export interface Log {
  write(record: object): void;
  readonly bytes: number;
}

export function writeLog(path: string, fill: (log: Log) => number): Made {
  mkdirSync(dirname(path), { recursive: true });
  const fd = openSync(path, "w");
  let bytes = 0;
  let held: string[] = [];
  let heldSize = 0;
  const flush = (): void => {
    writeSync(fd, held.join(""));
    held = [];
    heldSize = 0;
  };
  const turns = fill({
    write(record) {
      const line = `${JSON.stringify(record)}\n`;
      held.push(line);
      heldSize += line.length;
      bytes += line.length; // the pools are plain ASCII
      if (heldSize > 1 << 20) flush();
    },
    get bytes() {
      return bytes;
    },
  });
  flush();
  closeSync(fd);
  return { turns, bytes, path };
}

const HEX = "0123456789abcdef";

export function uuid(random: () => number): string {
  const hex = (length: number): string => {
    let text = "";
    for (let i = 0; i < length; i++) text += HEX[Math.floor(random() * 16)];
    return text;
  };
  return `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`;
}

export const START = Date.UTC(2026, 8, 1);
export const timeOf = (step: number): string => new Date(START + step * 1000).toISOString();

/** Most results are short, few are long. */
export const outputSize = (random: () => number, largest = 24_000): number =>
  Math.floor(80 + largest * random() ** 3);

/** The sizes of sessions: many of one sitting, some of a day, few of a week. */
export function sessionSize(random: () => number): number {
  const kind = random();
  const between = (low: number, high: number): number => low + random() ** 2 * (high - low);
  if (kind < 0.7) return between(26e3, 70e3);
  if (kind < 0.93) return between(60e3, 600e3);
  return kind < 0.998 ? between(0.6e6, 5e6) : between(5e6, 40e6);
}

/** A size that asks for the long line, once, half-way through. */
export function createSizes(log: Log, shape: Shape, random: () => number): () => number {
  let long = shape.longLine;
  return () => {
    if (long === undefined || log.bytes < shape.bytes / 2) return outputSize(random, shape.largest);
    const size = long;
    long = undefined;
    return size;
  };
}
