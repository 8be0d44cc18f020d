/**
 * A value from outside as JavaScript puts it into a text. One whose `toString` is no function, or that is nested too
 * deeply, cannot be put there at all; it is then named by its kind.
 */
export function printed(value: unknown): string {
  try {
    return String(value);
  } catch {
    return Array.isArray(value) ? "[object Array]" : "[object Object]";
  }
}
