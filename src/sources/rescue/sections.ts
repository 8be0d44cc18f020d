/**
 * Splits a damaged stretch of a log into sections that fit in memory: a crash may leave hundreds of megabytes of NULs,
 * and a torn line may be as long.
 */
import { AppError } from "../../model/errors.ts";
import { behindNuls } from "../../platform/fs/nuls.ts";
import type { SessionFs } from "../../platform/fs/session-fs.ts";

/** Damaged lines one after another, line feeds included. */
export interface DamagedStretch {
  readonly start: number;
  readonly end: number;
  readonly line: number;
}

export type Section =
  | { readonly kind: "bytes"; readonly start: number; readonly line: number; readonly bytes: Buffer }
  /** What cannot be made into a record, or not within memory. */
  | {
      readonly kind: "lost";
      readonly start: number;
      readonly end: number;
      readonly line: number;
      readonly why: string;
    };

export interface SectionLimits {
  /** So many NULs in a row are a hole; fewer are looked at with what stands around them. */
  readonly hole: number;
  readonly section: number;
  /** So much may have to be repaired in all: the plan holds what becomes of it. */
  readonly all: number;
}

const LIMITS: SectionLimits = { hole: 64 << 10, section: 32 << 20, all: 128 << 20 };
const LF = 10;

const HOLE = "NUL bytes, as left by a crash";
const TOO_LONG = "a damaged line that is too long to be repaired";

export async function sectionsOf(
  fs: SessionFs,
  path: string,
  { start, end, line }: DamagedStretch,
  limits: SectionLimits = LIMITS,
): Promise<Section[]> {
  const sections: Section[] = [];
  let held: Buffer[] = [];
  let heldSize = 0;
  /** Where what is held, or passed over, begins, and in which line. */
  let from = start;
  let number = line;
  let isPassing = false;
  let all = 0;

  const put = (bytes: Buffer): void => {
    if (bytes.length > 0) sections.push({ kind: "bytes", start: from, line: number, bytes });
    all += bytes.length;
    if (all > limits.all) throw tooMuch(path, limits.all);
    from += bytes.length;
    number += countFeeds(bytes);
  };
  const lose = (to: number, why: string): void => {
    if (to > from) sections.push({ kind: "lost", start: from, end: to, line: number, why });
    from = to;
  };
  const flush = (to: number): void => {
    if (isPassing) lose(to, TOO_LONG);
    else put(Buffer.concat(held));
    [held, heldSize, isPassing] = [[], 0, false];
  };
  const take = (bytes: Buffer, at: number): void => {
    if (isPassing) {
      const feed = bytes.indexOf(LF);
      if (feed < 0) return;
      lose(at + feed + 1, TOO_LONG);
      number++;
      isPassing = false;
      if (feed + 1 < bytes.length) take(bytes.subarray(feed + 1), at + feed + 1);
      return;
    }
    held.push(Buffer.from(bytes));
    heldSize += bytes.length;
    if (heldSize <= limits.section) return;
    const whole = Buffer.concat(held);
    const cut = whole.lastIndexOf(LF) + 1;
    put(whole.subarray(0, cut));
    const rest = whole.subarray(cut);
    isPassing = rest.length > limits.section;
    [held, heldSize] = isPassing ? [[], 0] : [[rest], rest.length];
  };

  let position = start;
  /** NULs right before the place that was reached. */
  let nuls = 0;
  const endOfNuls = (): void => {
    const begin = position - nuls;
    if (nuls >= limits.hole) {
      flush(begin);
      lose(position, HOLE);
    } else if (nuls > 0) take(Buffer.alloc(nuls), begin);
    nuls = 0;
  };
  for await (const raw of fs.chunks(path, { start, end })) {
    const chunk = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
    for (let at = 0; at < chunk.length; ) {
      const zero = chunk[at] === 0 ? at : chunk.indexOf(0, at);
      const text = chunk.subarray(at, zero < 0 ? chunk.length : zero);
      if (text.length > 0) {
        endOfNuls();
        take(text, position);
      }
      const behind = zero < 0 ? chunk.length : behindNuls(chunk, zero);
      nuls += zero < 0 ? 0 : behind - zero;
      position += behind - at;
      at = behind;
    }
  }
  endOfNuls();
  flush(position);
  return sections;
}

function countFeeds(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, at + 1)) count++;
  return count;
}

const tooMuch = (path: string, most: number): AppError =>
  new AppError(
    "unreadable",
    `More than ${most >> 20} MB of ${path} are damaged, which is too much to repair`,
    { say: "Read what is left", remedy: { action: "show" }, after: ", or rethread export" },
  );
