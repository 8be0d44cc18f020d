/** The orders in which hits of a search come: the best first, or those of the sessions that were active last. */
export const SEARCH_ORDERS = ["relevance", "newest"] as const;
export type SearchOrder = (typeof SEARCH_ORDERS)[number];
