/** Configures how much memory the engine may use, and has it give back what it no longer needs. */

/** Loaded when it is used: it brings Node's streams along, and most commands never ask for it. */
const setFlagsFromString = (flag: string): void =>
  process.getBuiltinModule("node:v8").setFlagsFromString(flag);

/**
 * For work on sessions so large that what is read of them would fill the memory before the engine tidies up: the space
 * for new objects stays small. A clone of 50 to 100 MB then takes two thirds of the memory in the same time. The engine's
 * own `--optimize-for-size` takes half of it, but a fifth to two thirds longer, as long as the process lives.
 */
export function spareMemory(): void {
  setFlagsFromString("--semi-space-growth-factor=1");
}

/** The same for a reading of so many bytes: smaller ones fit whatever the engine does. */
export function spareMemoryFor(bytes: number): void {
  if (bytes > LARGE) spareMemory();
}
const LARGE = 16 << 20;

/**
 * For work that makes much garbage and keeps next to nothing, again and again, in a process that otherwise only waits: the
 * space for new objects stays as small as it is. (As it grows on and on, it would have to be given back after each time.)
 */
export async function withoutGrowing<T>(work: () => Promise<T>): Promise<T> {
  setFlagsFromString("--semi-space-growth-factor=1");
  try {
    return await work();
  } finally {
    setFlagsFromString(`--semi-space-growth-factor=${USUAL_GROWTH}`);
  }
}

/** The engine's own. */
const USUAL_GROWTH = 2;

/** What the process holds of the machine's memory now, in bytes. */
export const heldMemory = (): number => process.memoryUsage.rss();

/**
 * Collects what nobody needs, and gives it back to the system. By itself the engine does neither in a process that only
 * waits: it keeps up to 128 MB for new objects, used or not (Node 24). Takes some 50 ms, so it is for those who wait.
 */
export function releaseMemory(): void {
  // Only this kind also makes the space for new objects small again.
  collector()({ type: "major", execution: "sync", flavor: "last-resort" });
}

/**
 * To be told of bytes that pass through in buffers. The engine lets 64 MB of them pile up before it looks for those that
 * nobody needs, and of so many small pieces the system's allocator never gives all back.
 */
export function notePassing(bytes: number): void {
  passed += bytes;
  if (passed < MOST_PASSING) return;
  passed = 0;
  collector()({ type: "minor", execution: "sync" });
}
let passed = 0;
const MOST_PASSING = 1 << 20;

type Collect = (how: object) => void;
let known: Collect | undefined;

/** Found in a context of its own, so that no other code finds it. */
function collector(): Collect {
  if (known) return known;
  setFlagsFromString("--expose-gc");
  known = process.getBuiltinModule("node:vm").runInNewContext("gc") as Collect;
  setFlagsFromString("--no-expose-gc");
  return known;
}
