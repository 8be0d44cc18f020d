/** Marks around the words that a search matched: control characters, so that no text can forge them. */

export const MARK = { open: "\u0001", close: "\u0002" } as const;
