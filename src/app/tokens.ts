/** Counts tokens, for surfaces that have to stay within a budget. */
export { type CountTokens, loadTokenizer } from "../query/tokens.ts";
