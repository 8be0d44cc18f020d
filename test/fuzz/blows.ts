/** Damage as property tests draw it, so that a failure shrinks to the few blows that matter. */
import fc from "fast-check";
import { type Blow, CONTENT_DAMAGES, strike } from "./damages.ts";

export const blow: fc.Arbitrary<Blow> = fc.record({
  kind: fc.constantFrom(...CONTENT_DAMAGES),
  where: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
  pick: fc.nat(100_000),
});

export const blows: fc.Arbitrary<Blow[]> = fc.array(blow, { minLength: 1, maxLength: 3 });

/** Values may grow by each blow; what is larger says nothing new. */
const LARGEST = 4 << 20;

export function strikeAll(path: string, bytes: Buffer, all: readonly Blow[]): Buffer {
  return all.reduce((struck, each) => (struck.length > LARGEST ? struck : strike(path, struck, each)), bytes);
}
