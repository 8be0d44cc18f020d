/** The writes that are under way: a server that stops waits for them. */

export interface Writes {
  during<T>(work: () => Promise<T>): Promise<T>;
  settled(): Promise<void>;
}

export function createWrites({ writes, wrote }: { writes(): void; wrote(): void }): Writes {
  const underWay = new Set<Promise<unknown>>();
  return {
    async during(work) {
      writes();
      const writing = work();
      underWay.add(writing);
      try {
        return await writing;
      } finally {
        underWay.delete(writing);
        wrote();
      }
    },
    async settled() {
      await Promise.allSettled([...underWay]);
    },
  };
}
