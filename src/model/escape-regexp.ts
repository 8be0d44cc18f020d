/** Text as a part of a pattern, outside of any brackets, meaning just itself. */
export const toPatternSource = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
