/** Escapes text for use in a regular expression, outside of character classes. */
export const toPatternSource = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
