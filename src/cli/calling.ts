/** What the command line tells every call: where progress is drawn, and how fresh the answer must be. */
import type { Call } from "../operations/call.ts";
import type { ShowProgress } from "./output.ts";

export const toCall = (progress: ShowProgress, args: { readonly noRefresh?: boolean } = {}): Call => ({
  // Bytes tell how far it is; where there are none to read, sessions do.
  onProgress: ({ done, total, sessions }) =>
    sessions && total === 0 ? progress(sessions.done, sessions.total) : progress(done, total, sessions),
  ...(args.noRefresh && { freshness: "stored" }),
});
