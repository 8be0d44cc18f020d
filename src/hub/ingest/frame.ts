/** A push as bytes: a header as JSON, and the bodies behind it. Both ends use this. */
import { AppError } from "../../model/errors.ts";
import { LARGEST_PUSH, type PushHeader } from "../protocol.ts";
import { PUSH_HEADER } from "./frame-schema.ts";

const LENGTH = 4;
const LARGEST_HEADER = 4 << 20;

export interface Frame {
  readonly header: unknown;
  readonly bodies: readonly Uint8Array[];
}

/** `<length of the header, 4 bytes, big-endian><header as JSON><bodies>`, where the header's `bodies` are their lengths. */
export function encodeFrame(header: object, bodies: readonly Uint8Array[]): Uint8Array {
  const head = Buffer.from(JSON.stringify({ ...header, bodies: bodies.map(({ length }) => length) }));
  const length = Buffer.alloc(LENGTH);
  length.writeUInt32BE(head.length);
  return Buffer.concat([length, head, ...bodies]);
}

/** Bounded, and nothing is left over. What the header says beyond the lengths of the bodies is not looked at. */
export function decodeFrame(frame: Uint8Array, largest = LARGEST_PUSH): Frame {
  if (frame.length > largest) throw tooLarge();
  const bytes = Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength);
  if (bytes.length < LENGTH) throw odd("it has no header");
  const end = LENGTH + bytes.readUInt32BE();
  if (end > bytes.length || end > LARGEST_HEADER) throw odd("its header is cut off or too long");
  const header = parse(bytes.subarray(LENGTH, end));
  const lengths = (header as { bodies?: unknown } | null)?.bodies;
  if (!Array.isArray(lengths) || !lengths.every((each) => Number.isSafeInteger(each) && each >= 0))
    throw odd("its header does not say how long its bodies are");
  const bodies: Uint8Array[] = [];
  let at = end;
  for (const length of lengths as number[]) {
    if (length > bytes.length - at) throw odd("a body is cut off");
    bodies.push(bytes.subarray(at, at + length));
    at += length;
  }
  if (at !== bytes.length) throw odd("there is more in it than its header says");
  return { header, bodies };
}

export const encodePush = (header: Omit<PushHeader, "bodies">, bodies: readonly Uint8Array[]): Uint8Array =>
  encodeFrame(header, bodies);

export function decodePush(frame: Uint8Array): { header: PushHeader; bodies: Uint8Array[] } {
  const { header, bodies } = decodeFrame(frame);
  return { header: checkHeader(header), bodies: [...bodies] };
}

/** What came from outside is believed only as far as it has the shape of a push. */
export function checkHeader(header: unknown): PushHeader {
  const checked = PUSH_HEADER.safeParse(header);
  if (!checked.success) {
    const [issue] = checked.error.issues;
    throw odd(`${issue?.path.map(String).join(".") || "its header"}: ${issue?.message ?? "is odd"}`);
  }
  const { files, bodies } = checked.data;
  if (files.reduce((sum, { pieces }) => sum + pieces.length, 0) !== bodies.length)
    throw odd("it has not one body for each piece");
  return checked.data;
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw odd("its header is not JSON");
  }
}

const odd = (why: string): AppError =>
  new AppError(
    "usage",
    `The push cannot be read: ${why}`,
    "Push with the same version of rethread as the hub's",
  );

const tooLarge = (): AppError =>
  new AppError("too-large", `A push has at most ${LARGEST_PUSH >> 20} MB`, "Push less at once");
