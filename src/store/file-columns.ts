/** Expressions that an index and its queries must spell alike. Never changed: migrations use them. */

/** The last name in a path, whichever separators it has, in lower case. */
export const nameOf = (path: string): string =>
  `lower(substr(${path}, length(rtrim(${path}, replace(replace(${path}, '/', ''), '\\', ''))) + 1))`;

export const NAME_OF_FILE = nameOf("file_path");

/** Commands that move something, as far as labels tell. */
export const MOVES = "instr(label, 'mv ') > 0";
