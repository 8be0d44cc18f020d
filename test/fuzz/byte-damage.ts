/** Ways in which the bytes of a file come to harm, at a place; nothing before that place, or its line, is touched. */

export type ByteDamage = (bytes: Buffer, at: number, size: number) => Buffer;

export const BYTE_DAMAGES: Readonly<Record<string, ByteDamage>> = {
  "torn off": (bytes, at) => bytes.subarray(0, at),
  "NUL bytes": (bytes, at, size) => splice(bytes, at, Math.min(size, bytes.length - at), Buffer.alloc(size)),
  "NUL tail": (bytes, at, size) => Buffer.concat([bytes.subarray(0, at), Buffer.alloc(size)]),
  "a garbage line": (bytes, at) => splice(bytes, lineAt(bytes, at), 0, Buffer.from("%%% not json {{{\n")),
  "a line lost": (bytes, at) =>
    splice(bytes, lineAt(bytes, at), lineLength(bytes, lineAt(bytes, at)), Buffer.alloc(0)),
  "two lines joined": (bytes, at) => splice(bytes, Math.max(0, lineAt(bytes, at) - 1), 1, Buffer.alloc(0)),
  "a line twice": (bytes, at) => {
    const start = lineAt(bytes, at);
    return splice(bytes, start, 0, bytes.subarray(start, start + lineLength(bytes, start)));
  },
  "a raw line feed": (bytes, at) => splice(bytes, at, 0, Buffer.from("\n")),
  "a byte flipped": (bytes, at) => splice(bytes, at, 1, Buffer.from([(bytes[at] ?? 0) ^ 0x15])),
  "invalid UTF-8": (bytes, at, size) => splice(bytes, at, 0, Buffer.alloc(Math.min(size, 5), 0xff)),
  "a wrong type": (bytes, at) =>
    splice(bytes, lineAt(bytes, at), 0, Buffer.from('[1,2]\nnull\n"text"\n42\n{}\n{"type":7,"kind":"?"}\n')),
};

export function splice(bytes: Buffer, at: number, remove: number, insert: Buffer): Buffer {
  return Buffer.concat([bytes.subarray(0, at), insert, bytes.subarray(at + remove)]);
}

export const lineAt = (bytes: Buffer, at: number): number =>
  at <= 0 ? 0 : bytes.lastIndexOf(10, at - 1) + 1;

export const lineLength = (bytes: Buffer, start: number): number => {
  const feed = bytes.indexOf(10, start);
  return (feed < 0 ? bytes.length : feed + 1) - start;
};
