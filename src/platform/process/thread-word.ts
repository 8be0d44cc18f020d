/** The word that a thread of ours has for its arguments: a bundle's entry that is loaded in one must not run a command. */
export const THREAD = "--thread";
