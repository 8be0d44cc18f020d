/** The queue of lines to write, with backpressure and batches. */

export interface Batch {
  readonly bytes: Buffer;
  readonly lines: readonly string[];
}

export interface LineQueue {
  push(line: string): void;
  /** What goes in one write: the same one until it is done. Empty when nothing waits. */
  next(): Batch;
  /** The batch that `next` gave is written. */
  done(): void;
  /** Resolves when no more than so many bytes wait. */
  below(bytes: number): Promise<void>;
  /** How many lines were added so far; progress is reported by this number. */
  mark(): number;
  isWritten(mark: number): boolean;
  /** Everything that waits, in order. */
  lines(): string[];
  size(): number;
  /** No more writes: releases all waiting callers. */
  release(): void;
}

/** One write of about this much: few enough calls, and little enough to hold twice. */
const BATCH_BYTES = 1 << 20;

export function createLineQueue(): LineQueue {
  let waiting: string[] = [];
  let batch: Batch | undefined;
  let size = 0;
  let pushed = 0;
  let written = 0;
  let watchers: { readonly bytes: number; readonly go: () => void }[] = [];

  const tell = (isReady: (bytes: number) => boolean): void => {
    const { go = [], stay = [] } = Object.groupBy(watchers, ({ bytes }) => (isReady(bytes) ? "go" : "stay"));
    watchers = stay;
    for (const watcher of go) watcher.go();
  };
  const take = (): Batch => {
    let bytes = 0;
    const end = waiting.findIndex((line) => {
      bytes += Buffer.byteLength(line);
      return bytes >= BATCH_BYTES;
    });
    const lines = end < 0 ? waiting : waiting.slice(0, end + 1);
    waiting = end < 0 ? [] : waiting.slice(end + 1);
    return { bytes: Buffer.from(lines.join("")), lines };
  };

  return {
    push(line) {
      waiting.push(line);
      size += Buffer.byteLength(line);
      pushed++;
    },
    next() {
      batch ??= take();
      return batch;
    },
    done() {
      size -= batch?.bytes.length ?? 0;
      written += batch?.lines.length ?? 0;
      batch = undefined;
      tell((bytes) => size <= bytes);
    },
    below: (bytes) =>
      size <= bytes
        ? Promise.resolve()
        : new Promise((resolve) => {
            watchers.push({ bytes, go: resolve });
          }),
    mark: () => pushed,
    isWritten: (mark) => written >= mark,
    lines: () => [...(batch?.lines ?? []), ...waiting],
    size: () => size,
    release: () => tell(() => true),
  };
}
