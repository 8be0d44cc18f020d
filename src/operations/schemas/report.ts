/** What reports have in common. */
import type { Zod } from "../operation.ts";

/** A session as reports name it. */
export const reportedSession = (z: Zod) =>
  z.object({ source: z.string(), id: z.string(), title: z.string() });
