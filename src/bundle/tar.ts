/** Writes and reads tar headers (ustar, with pax headers when a name or size needs one). */
import { damaged } from "./errors.ts";

export const BLOCK = 512;
/** Two empty blocks end a tar. */
export const END = Buffer.alloc(2 * BLOCK);

export interface TarEntry {
  readonly name: string;
  readonly kind: "file" | "folder" | "other";
  readonly size: number;
  /** What a pax header says of it besides, or is to say: values may be any bytes. */
  readonly pax?: PaxRecords;
}

export type PaxRecords = ReadonlyMap<string, Buffer>;

export interface Header extends TarEntry {
  /** A pax header is not an entry; it describes the next one. */
  readonly isPax: boolean;
}

/** So much follows a file until the next block begins. */
export const paddingOf = (size: number): number => (BLOCK - (size % BLOCK)) % BLOCK;

const NAME_BYTES = 100;
const LARGEST_OCTAL = 8 ** 11 - 1;

export function toHeader(entry: TarEntry & { readonly mode: number; readonly mtimeMs: number }): Buffer {
  const name = entry.kind === "folder" ? `${entry.name}/` : entry.name;
  const isShort = Buffer.byteLength(name) <= NAME_BYTES && /^[\x20-\x7e]*$/.test(name);
  const bytes = Buffer.concat([
    ...(isShort ? [] : [paxRecord("path", name)]),
    ...(entry.size > LARGEST_OCTAL ? [paxRecord("size", String(entry.size))] : []),
    ...[...(entry.pax ?? [])].map(([key, value]) => paxRecord(key, value)),
  ]);
  const own = block({ ...entry, name }, entry.kind === "folder" ? "5" : "0");
  if (bytes.length === 0) return own;
  const about = { name: "pax", size: bytes.length, mode: 0o600, mtimeMs: entry.mtimeMs };
  return Buffer.concat([block(about, "x"), bytes, Buffer.alloc(paddingOf(bytes.length)), own]);
}

function block(
  { name, size, mode, mtimeMs }: { name: string; size: number; mode: number; mtimeMs: number },
  type: string,
): Buffer {
  const bytes = Buffer.alloc(BLOCK);
  const octal = (value: number, at: number, length: number): void =>
    void bytes.write(
      `${Math.max(0, value)
        .toString(8)
        .padStart(length - 1, "0")}\0`,
      at,
      "latin1",
    );
  bytes.write(Buffer.from(name).subarray(0, NAME_BYTES).toString("latin1"), 0, "latin1");
  octal(mode & 0o7777, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(size > LARGEST_OCTAL ? 0 : size, 124, 12);
  octal(Math.min(Math.floor(mtimeMs / 1000), LARGEST_OCTAL), 136, 12);
  bytes.write(type, 156, "latin1");
  bytes.write("ustar\x0000", 257, "latin1");
  octal(checksum(bytes), 148, 7);
  bytes[155] = 0x20;
  return bytes;
}

/** Its own length is part of it. */
function paxRecord(key: string, value: string | Buffer): Buffer {
  const rest = Buffer.concat([Buffer.from(` ${key}=`), Buffer.from(value), Buffer.from("\n")]);
  let length = rest.length;
  while (String(length).length + rest.length !== length) length = String(length).length + rest.length;
  return Buffer.concat([Buffer.from(String(length)), rest]);
}

/** Of all bytes, its own field taken as spaces. */
const checksum = (bytes: Buffer): number =>
  bytes.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 0x20 : byte), 0);

export const isEmpty = (bytes: Uint8Array): boolean => bytes.every((byte) => byte === 0);
export const isTar = (bytes: Buffer): boolean => bytes.toString("latin1", 257, 262) === "ustar";

/** `pax` is what a pax header in front of it said. */
export function readHeader(bytes: Buffer, pax: PaxRecords): Header {
  const text = (at: number, length: number): string => {
    const field = bytes.subarray(at, at + length);
    const end = field.indexOf(0);
    return field.toString("utf8", 0, end < 0 ? length : end);
  };
  const number = (at: number, length: number): number => Number.parseInt(text(at, length).trim() || "0", 8);
  if (!isTar(bytes) || number(148, 8) !== checksum(bytes))
    throw damaged("it has no valid tar header where an entry should begin");
  const size = pax.has("size") ? Number(pax.get("size")?.toString("latin1")) : number(124, 12);
  if (!Number.isSafeInteger(size) || size < 0) throw damaged("an entry has an invalid size");
  const type = text(156, 1) || "0";
  const prefix = text(345, 155);
  const name =
    pax.get("path")?.toString("utf8") ?? (prefix === "" ? text(0, 100) : `${prefix}/${text(0, 100)}`);
  return {
    name: type === "5" ? name.replace(/\/$/, "") : name,
    kind: type === "0" ? "file" : type === "5" ? "folder" : "other",
    size,
    isPax: type === "x",
  };
}

export function readPax(bytes: Buffer): Map<string, Buffer> {
  const records = new Map<string, Buffer>();
  for (let at = 0; at < bytes.length; ) {
    const length = Number.parseInt(bytes.toString("latin1", at, at + 10), 10);
    const record = bytes.subarray(at, at + length);
    // As single bytes, so that places in the text are places in the record.
    const [, front = "", key] = /^(\d+ ([^=]+)=).*\n$/s.exec(record.toString("latin1")) ?? [];
    if (!(length > 0) || record.length < length || key === undefined)
      throw damaged("a pax header is not a list");
    const value = Buffer.from(record.subarray(front.length, -1));
    records.set(Buffer.from(key, "latin1").toString("utf8"), value);
    at += length;
  }
  return records;
}
