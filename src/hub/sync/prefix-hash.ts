/** Hashes a file as it passes, and keeps the hash of some of its beginnings. */
import { createHash, type Hash } from "node:crypto";

export interface PrefixHash {
  update(bytes: Uint8Array): void;
  size(): number;
  /** Of the first so many bytes, to be continued; nothing for a length that was not asked for, or that it has not. */
  at(size: number): Hash | undefined;
  /** Of all so far. */
  digest(): string;
}

export function createPrefixHash(lengths: readonly number[]): PrefixHash {
  const whole = createHash("sha256");
  const waiting = [...new Set([0, ...lengths])].sort((a, b) => b - a);
  const kept = new Map<number, Hash>();
  let size = 0;
  const keep = (): void => {
    while (waiting.at(-1) === size) kept.set(waiting.pop() ?? 0, whole.copy());
  };
  keep();
  return {
    update(bytes) {
      let from = 0;
      for (
        let next = waiting.at(-1);
        next !== undefined && next <= size + bytes.length - from;
        next = waiting.at(-1)
      ) {
        const to = from + next - size;
        whole.update(bytes.subarray(from, to));
        [from, size] = [to, next];
        keep();
      }
      whole.update(bytes.subarray(from));
      size += bytes.length - from;
    },
    size: () => size,
    at: (length) => kept.get(length)?.copy(),
    digest: () => whole.copy().digest("hex"),
  };
}

export const digestOf = (hash: Hash): string => hash.copy().digest("hex");
