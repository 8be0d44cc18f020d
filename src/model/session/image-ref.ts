/** A picture in a conversation: what is known about it, and the id by which its bytes are asked for. */
import type { Origin } from "./session.ts";

export interface ImageRef {
  /** Where its bytes are; nothing where the session names the picture and does not hold it. */
  readonly id?: string;
  readonly name?: string;
  /** The media type as its program noted it. What is served goes by the bytes themselves. */
  readonly type?: string;
}

/** A value in a record of the log, or a name that the log has its bytes under, in a record that may stand anywhere. */
export type ImagePlace = ValuePlace | { readonly asset: string };

export interface ValuePlace {
  /** Set when the record is not in the session's own file. */
  readonly file?: string;
  /** The first byte of the record, and the byte after its last one. */
  readonly start: number;
  readonly end: number;
  /** Where inside the record, as a path of keys. */
  readonly at: readonly (string | number)[];
}

export const toImageId = ({ file, start, end, at = [] }: Omit<Origin, "line">): string =>
  encode([start, end, at, ...(file === undefined ? [] : [file])]);

export const toAssetId = (asset: string): string => encode([asset]);

const encode = (parts: readonly unknown[]): string =>
  Buffer.from(JSON.stringify(parts)).toString("base64url");

/** No id of ours is longer, but for one that names a file in a deep folder. */
const LONGEST_ID = 8_000;
const DEEPEST = 32;

/** Nothing for a text that is no id of ours: ids come back from outside. */
export function parseImageId(id: string): ImagePlace | undefined {
  const parts = id.length > LONGEST_ID || !/^[\w-]+$/.test(id) ? undefined : decode(id);
  if (!Array.isArray(parts)) return undefined;
  const [start, end, at, file] = parts as unknown[];
  if (parts.length === 1) return typeof start === "string" && start !== "" ? { asset: start } : undefined;
  if (!isPlace(start) || !isPlace(end) || end <= start || !isPath(at) || parts.length > 4) return undefined;
  if (parts.length === 3) return { start, end, at };
  return typeof file === "string" && file !== "" ? { file, start, end, at } : undefined;
}

function decode(id: string): unknown {
  const bytes = Buffer.from(id, "base64url");
  // One picture has one id: what a lenient decoder would pass over is refused.
  if (bytes.toString("base64url") !== id) return undefined;
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    return undefined;
  }
}

const isPlace = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

const isPath = (value: unknown): value is ValuePlace["at"] =>
  Array.isArray(value) &&
  value.length <= DEEPEST &&
  value.every((step) => typeof step === "string" || isPlace(step));
