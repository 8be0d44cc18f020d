/** How often properties are tried: the same few hundred cases in every run, or fifty times as many others. */

export const isFull = process.env.RETHREAD_FULL === "1";

const TIMES = 50;

/** For `fc.assert`, which names the seed when something fails. */
export const runs = (count: number): { numRuns: number; seed?: number } =>
  isFull ? { numRuns: count * TIMES, seed: Date.now() ^ process.pid } : { numRuns: count };
