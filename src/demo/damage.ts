/** The accidents that logs really meet, done to the bytes of a composed session. Pure, and blind to what they mean. */
import type { FileImage } from "../model/image.ts";

/**
 * `torn`: the machine stopped while a line was being written, and all that would have followed is missing.
 * `half-saved`: one more record was begun at the end and never finished.
 * `lost`: the conversation's file is gone, while everything that speaks of it stayed.
 */
export type Damage = "torn" | "half-saved" | "lost";

const LF = 10;

/** Harms the largest text among a session's files, which is the conversation. */
export function harm(images: readonly FileImage[], damage: Damage): FileImage[] {
  const log = images.reduce((a, b) => (sizeOf(b) > sizeOf(a) ? b : a));
  if (damage === "lost") return images.filter((image) => image !== log);
  const content = (damage === "torn" ? tear : halfSave)(toBytes(log));
  return images.map((image) => (image === log ? { ...log, content } : image));
}

/** Cuts through the middle of the line that lies nine tenths into the file. */
export function tear(bytes: Buffer): Buffer {
  const near = Math.floor(bytes.length * 0.9);
  const start = bytes.lastIndexOf(LF, near - 1) + 1;
  const feed = bytes.indexOf(LF, near);
  const end = feed < 0 ? bytes.length : feed;
  return bytes.subarray(0, start + Math.ceil((end - start) / 2));
}

/** Writes the first few bytes of the last line once more: all that got to the disk of one more save. */
export function halfSave(bytes: Buffer): Buffer {
  const ended = bytes.at(-1) === LF ? bytes.length - 1 : bytes.length;
  const start = bytes.lastIndexOf(LF, ended - 1) + 1;
  return Buffer.concat([bytes, bytes.subarray(start, start + 8)]);
}

const isText = (content: FileImage["content"]): content is string | Uint8Array =>
  typeof content === "string" || content instanceof Uint8Array;
const toBytes = ({ content }: FileImage): Buffer =>
  isText(content) ? Buffer.from(content as string) : Buffer.alloc(0);
const sizeOf = (image: FileImage): number => toBytes(image).length;
