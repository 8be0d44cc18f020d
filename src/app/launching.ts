/** How a session's own program is started on it, and where. */
import { AppError } from "../model/errors.ts";
import type { Artifact } from "../model/session.ts";
import { realFolder } from "../platform/folders.ts";
import { readHead } from "../query/heads.ts";
import type { Catalog } from "../sources/catalog.ts";
import type { Launch } from "./contract.ts";

export async function planLaunch(catalog: Catalog, artifact: Artifact): Promise<Launch> {
  const { session } = await readHead(catalog, artifact);
  const words = artifact.vanishedAt === undefined ? catalog.launch(artifact, session) : undefined;
  const label = catalog.sources.find(({ source }) => source === artifact.source)?.label ?? artifact.source;
  if (!words)
    throw new AppError(
      "not-supported",
      `${label} cannot be started on this session`,
      `Read it: rethread show ${artifact.source}:${artifact.id.slice(0, 8)}`,
    );
  const folder = session.workspace === undefined ? undefined : await realFolder(session.workspace);
  return { session, label, words, ...(folder !== undefined && { folder }) };
}
