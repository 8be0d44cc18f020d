import { zstdCompressSync } from "node:zlib";
import { expect, it } from "vitest";
import { BLOCK, nameOf, pack, STORED_SIZE, unpack, unpackAny } from "./block.ts";

const lines = (count: number): Buffer =>
  Buffer.from(
    Array.from({ length: count }, (_, i) => `{"line":${i},"x":${(i * 2654435761) >>> 0}}\n`).join(""),
  );
const isWhole = (name: string, stored: Buffer): boolean => unpack(name, stored) instanceof Uint8Array;

it("notices every flipped bit, those included that zstd ignores", () => {
  const bytes = lines(60);
  const [name, stored] = [nameOf(bytes), pack(bytes)];
  expect((unpack(name, stored) as Buffer).equals(bytes)).toBe(true);
  const unnoticed: string[] = [];
  for (let at = 0; at < stored.length; at++)
    for (let bit = 0; bit < 8; bit++) {
      const flipped = Buffer.from(stored);
      flipped.writeUInt8(flipped.readUInt8(at) ^ (1 << bit), at);
      if (isWhole(name, flipped)) unnoticed.push(`${at}:${bit}`);
    }
  expect(unnoticed).toEqual([]);
});

it("notices what is cut off, appended or swapped", () => {
  const bytes = lines(20);
  const [name, stored] = [nameOf(bytes), pack(bytes)];
  const frame = zstdCompressSync(bytes);
  for (const bad of [
    Buffer.alloc(0),
    stored.subarray(0, -1),
    frame.subarray(0, -1),
    ...[stored, frame].flatMap((whole) =>
      [Buffer.alloc(1), Buffer.from("more"), stored, frame].map((more) => Buffer.concat([whole, more])),
    ),
    pack(lines(21)),
  ])
    expect(isWhole(name, bad)).toBe(false);
});

it("reads blocks of earlier versions, which have no seal", () => {
  const bytes = lines(20);
  expect(isWhole(nameOf(bytes), zstdCompressSync(bytes))).toBe(true);
  expect(unpackAny(zstdCompressSync(bytes))?.equals(bytes)).toBe(true);
});

it("never makes a block smaller or larger than a glance allows", () => {
  const noise = Buffer.alloc(BLOCK);
  for (let at = 0, x = 1; at < BLOCK; at += 4) {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    noise.writeInt32LE(x | 0, at);
  }
  for (const bytes of [Buffer.alloc(0), Buffer.from("x"), Buffer.alloc(BLOCK), noise]) {
    for (const { length } of [pack(bytes), zstdCompressSync(bytes)]) {
      expect(length).toBeGreaterThanOrEqual(STORED_SIZE.least);
      expect(length).toBeLessThanOrEqual(STORED_SIZE.most);
    }
  }
});
