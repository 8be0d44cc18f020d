/** Files whose bytes were known before they were written, held against what is on the disk now. */
import type { Step } from "../../model/plan.ts";
import { hashOf } from "../../platform/fs/file-hash.ts";
import type { SessionFs } from "../../platform/fs/session-fs.ts";

/** The first that came out otherwise; nothing when all are what they were to be. */
export async function findOtherBytes(
  fs: Pick<SessionFs, "chunks">,
  steps: readonly Step[],
): Promise<string | undefined> {
  for (const step of steps) {
    if (!("entries" in step)) continue;
    for (const { path, sha256 } of step.entries)
      if (sha256 !== undefined && (await hashOf(fs, path)) !== sha256) return `different bytes in ${path}`;
  }
  return undefined;
}
