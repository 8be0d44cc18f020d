/** Builds the call to an operation from the command line. */
import type { Call } from "../app/contract.ts";

export const toCall = (call: Call, { noRefresh }: { readonly noRefresh: boolean }): Call =>
  noRefresh ? { ...call, freshness: "stored" } : call;
