/** The hidden word that makes this program, started again by itself, answer one guarded query instead of a command. */
export const ANSWER_QUERY = "--answer-query";
