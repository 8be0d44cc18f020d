/** Hashes a file of any SessionFs in chunks. */
import { createHash } from "node:crypto";
import type { SessionFs } from "./session-fs.ts";

export async function hashOf(fs: Pick<SessionFs, "chunks">, path: string, end?: number): Promise<string> {
  const sum = createHash("sha256");
  for await (const chunk of fs.chunks(path, { start: 0, ...(end !== undefined && { end }) }))
    sum.update(chunk);
  return sum.digest("hex");
}
