/** Replaces files of a session by what they are without secrets; it counts as no work in the session. */
import { type Draft, type Planned, sizeOfPieces } from "../../model/plan.ts";
import { toFileDate } from "../../model/values/time.ts";
import { lookThrough } from "../../platform/fs/fs-links.ts";
import type { SessionFs } from "../../platform/fs/session-fs.ts";
import type { ScrubRequest } from "../requests.ts";

export async function replaceScrubbed(
  fs: SessionFs,
  files: ScrubRequest["files"],
): Promise<Pick<Draft, "basis" | "steps">> {
  const drafts = [];
  for (const { path, pieces } of files) {
    const entry = await lookThrough(fs, path);
    if (entry?.kind !== "file") continue;
    const planned: Planned = {
      ...{ kind: "file", path, mode: entry.mode, size: sizeOfPieces(pieces), pieces },
      // Lists that go by time keep their order, and the moment tells the two files apart.
      mtimeMs: toFileDate(entry.mtimeMs + 1).getTime(),
    };
    drafts.push({ basis: { entry }, step: { does: "replace" as const, path, entries: [planned] } });
  }
  return { basis: drafts.map(({ basis }) => basis), steps: drafts.map(({ step }) => step) };
}
