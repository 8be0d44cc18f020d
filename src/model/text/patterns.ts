/**
 * Patterns with classes of Unicode, such as `\p{L}`. The engine lists all characters of a class as soon as a pattern is
 * made, which takes longer than most of what a search does: so they are made when they are needed, and plain ASCII, which
 * most questions and names are, needs none.
 */

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant
const BEYOND = /[^\x00-\x7f]/;
export const isAscii = (text: string): boolean => !BEYOND.test(text);

/** Made when it is first asked for. */
export function late(make: () => RegExp): () => RegExp {
  let made: RegExp | undefined;
  return () => (made ??= make());
}

/** The same pattern twice: for plain text, and for all. */
export const patternFor = (text: string, plain: RegExp, all: () => RegExp): RegExp =>
  isAscii(text) ? plain : all();
