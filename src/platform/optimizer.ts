/** Configures how soon the engine optimizes code, of which it makes machine code twice: fast to make, then fast to run. */

/**
 * For work of some seconds in which no place is hot: the second kind of machine code costs more time, on threads of the
 * engine's own, than it saves while the work lasts. Code that runs very often gets it all the same.
 */
export const optimizeLate = (): void => setThreshold(100_000);

/** The same for a reading of so many bytes: of a session of 50 MB, reading and cloning take a tenth to a quarter less. */
export function optimizeLateFor(bytes: number): void {
  if (bytes > LARGE) optimizeLate();
}
const LARGE = 16 << 20;

/** As the engine does by itself. */
export const optimizeAsUsual = (): void => setThreshold(3000);

/** Loaded when it is used: it brings Node's streams along, and most commands never ask for it. */
const setThreshold = (calls: number): void =>
  process.getBuiltinModule("node:v8").setFlagsFromString(`--invocation-count-for-turbofan=${calls}`);
