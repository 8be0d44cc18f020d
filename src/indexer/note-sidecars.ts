/** Adds to a scan what lies beside the logs. */
import type { Artifact, SidecarMark } from "../model/session/session.ts";
import type { Catalog, Scan } from "../sources/catalog.ts";

/** What was known of the session at a path spares listing its folders again. Our own copies of sessions do not change. */
export async function noteSidecars(
  { sidecars }: Pick<Catalog, "sidecars">,
  scan: Scan,
  before: (path: string) => SidecarMark | undefined,
): Promise<Scan> {
  const artifacts: Artifact[] = [];
  for (const artifact of scan.artifacts) {
    // A watcher has noted them already.
    const isNoted = artifact.sidecars !== undefined || artifact.vanishedAt !== undefined;
    artifacts.push(isNoted ? artifact : await sidecars.note(artifact, before(artifact.path)));
  }
  return { ...scan, artifacts };
}
