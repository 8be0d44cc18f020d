/** The sort orders of search hits: best first, or most recently active sessions first. */
export const SEARCH_ORDERS = ["relevance", "newest"] as const;
export type SearchOrder = (typeof SEARCH_ORDERS)[number];
