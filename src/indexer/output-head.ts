/** Enough of every output to find an error message by its first words. */
export const OUTPUT_HEAD = 256;
