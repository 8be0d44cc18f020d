/** A command as somebody would type it into a shell. */

/** Words with anything but the plainest characters are quoted. */
export const toShell = (words: readonly string[]): string => words.map(quoted).join(" ");

const quoted = (word: string): string =>
  /^[\w@%+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
