/**
 * Helpers for lists of unbounded length: a call takes about 120,000 arguments, so `push(...list)` fails for longer
 * lists.
 */

export function append<T>(to: T[], more: Iterable<T>): void {
  for (const item of more) to.push(item);
}

/** The largest of them, or `least` where none is larger. */
export function largest(numbers: Iterable<number>, least: number): number {
  let found = least;
  for (const number of numbers) if (number > found) found = number;
  return found;
}
