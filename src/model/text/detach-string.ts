/**
 * Copies a substring so that it no longer references its parent. A slice keeps the whole original string in memory, so
 * keeping a few words of many long results would keep all the results.
 */
export const detachString = (piece: string): string => piece.split("").join("");
