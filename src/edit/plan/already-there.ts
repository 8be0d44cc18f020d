/** Is what a plan would put somewhere there already, to the byte? */
import { createHash } from "node:crypto";
import type { Planned } from "../../model/plan.ts";
import { hashOf } from "../../platform/fs/file-hash.ts";
import type { SessionFs } from "../../platform/fs/session-fs.ts";
import { contentOf } from "../apply/content.ts";

/** What lies beside it (locks, a log of ours) does not matter. */
export async function isThereAlready(fs: SessionFs, entries: readonly Planned[]): Promise<boolean> {
  for (const entry of entries) {
    if (entry.kind !== "file") continue;
    if (!(await fs.exists(entry.path)) || (await fs.stat(entry.path)).size !== entry.size) return false;
    if ((await hashOf(fs, entry.path)) !== (entry.sha256 ?? (await hashOfPlanned(fs, entry)))) return false;
  }
  return true;
}

async function hashOfPlanned(fs: SessionFs, { pieces = [] }: Planned): Promise<string> {
  const sum = createHash("sha256");
  for await (const chunk of contentOf(pieces, { fs })) sum.update(chunk);
  return sum.digest("hex");
}
