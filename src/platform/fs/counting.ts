/** A SessionFs that reports how much was read through it, for progress. */
import type { SessionFs } from "./session-fs.ts";

export function createCountingFs(fs: SessionFs, onBytes: (sum: number) => void): SessionFs {
  let sum = 0;
  return {
    ...fs,
    async *chunks(path, range) {
      for await (const chunk of fs.chunks(path, range)) {
        yield chunk;
        sum += chunk.length;
        onBytes(sum);
      }
    },
  };
}
