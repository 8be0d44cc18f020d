/** Text as a part of a pattern, meaning just itself. */
export const toPatternSource = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
