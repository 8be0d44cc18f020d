/** Checks whether the folders that sessions are about are still there. */
import type { Artifact } from "../../model/session/session.ts";
import { formatKey } from "../../model/values/id.ts";
import type { SessionFs } from "../../platform/fs/session-fs.ts";
import { failedOn, orProblem } from "../isolation.ts";
import { workspaceMissing } from "../machine/workspace-missing.ts";
import type { HealthLook, ScanSink } from "../source.ts";
import { SOURCE } from "./locate.ts";
import { scan } from "./scan.ts";
import { readMeta } from "./segments.ts";

export async function diagnose(
  fs: SessionFs,
  root: string,
  sink: Pick<ScanSink, "problem">,
  { workspaceOf: known, opensNone = false }: HealthLook = {},
): Promise<void> {
  const found: Artifact[] = [];
  // What is wrong with the folders themselves was reported by the scan.
  await scan(fs, root, { artifact: (artifact) => void found.push(artifact), problem: () => undefined });
  const gone = new Map<string, boolean>();
  for (const artifact of found)
    await orProblem(failedOn(artifact), sink, async () => {
      const { id, path } = artifact;
      const workspace = known?.(path) ?? (opensNone ? undefined : (await readMeta(fs, path))?.folder);
      if (workspace === undefined) return;
      if (!gone.has(workspace)) gone.set(workspace, await workspaceMissing(fs, workspace));
      if (gone.get(workspace))
        sink.problem({
          code: "workspace-missing",
          source: SOURCE,
          session: id,
          path,
          message: `the session belongs to ${workspace}, which is gone; Codex CLI lists it only there`,
          remedy: { action: "resume", session: formatKey(artifact) },
        });
    });
}
