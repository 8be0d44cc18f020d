/**
 * Appends to a log on a file system that may fail half-way: after retries, each line is there once, complete and in
 * order.
 */
import type { SessionFs } from "../../../platform/fs/session-fs.ts";
import { LOG, under } from "../workspace/locate.ts";
import { sizeOf } from "./log-end.ts";

export interface Appender {
  /** After a failure, call it again with the same bytes: it continues where it stopped. */
  append(bytes: Buffer): Promise<void>;
}

/** What is meant to stand in the log from `at` on. */
interface Attempt {
  readonly at: number;
  readonly bytes: Buffer;
}

const LF = 10;

/** `size` and `isEnded` tell how the log ended when it was opened. */
export function createAppender(
  fs: SessionFs,
  folder: string,
  opened: { readonly size: number; readonly isEnded: boolean },
): Appender {
  const path = under(folder, LOG);
  let known = opened;
  let attempt: Attempt | undefined;

  /** Another writer may have left the log without a line feed. */
  const endsLine = async (size: number): Promise<boolean> => {
    if (size === known.size) return known.isEnded;
    return size === 0 || (await fs.read(path, { start: size - 1, end: size }))[0] === LF;
  };
  const begin = async (bytes: Buffer, size: number): Promise<Attempt> => ({
    at: size,
    bytes: (await endsLine(size)) ? bytes : Buffer.concat([Buffer.of(LF), bytes]),
  });
  /** How much of an attempt that failed is there all the same. */
  const written = async ({ at, bytes }: Attempt, size: number): Promise<number> => {
    const there = Math.min(size - at, bytes.length);
    if (there <= 0) return 0;
    const found = await fs.read(path, { start: at, end: at + there });
    return bytes.subarray(0, there).equals(found) ? there : 0;
  };

  return {
    async append(bytes) {
      const size = await sizeOf(fs, path);
      let done = attempt ? await written(attempt, size) : 0;
      if (!attempt || done === 0) {
        done = 0;
        attempt = await begin(bytes, size);
      }
      if (done < attempt.bytes.length) {
        if (size === 0) await fs.mkdir(folder);
        await fs.append(path, attempt.bytes.subarray(done));
      }
      known = { size: attempt.at + attempt.bytes.length, isEnded: true };
      attempt = undefined;
    },
  };
}
