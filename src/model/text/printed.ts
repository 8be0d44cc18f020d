/**
 * Converts any outside value to text without throwing. A value whose `toString` is not a function, or that is nested
 * too deeply, is named by its kind instead.
 */
export function printed(value: unknown): string {
  try {
    return String(value);
  } catch {
    return Array.isArray(value) ? "[object Array]" : "[object Object]";
  }
}
