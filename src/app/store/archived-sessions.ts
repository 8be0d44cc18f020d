/** The sessions whose files are gone, out of the vault; loaded only where there is a state.db that may name some. */
import { join } from "node:path";
import { AppError } from "../../model/errors.ts";
import type { Artifact } from "../../model/session/session.ts";
import { localFs } from "../../platform/fs/local.ts";
import type { SessionFs } from "../../platform/fs/session-fs.ts";
import type { KeptSessions } from "../../sources/catalog.ts";

export function keptSessions(
  folder: string,
  now: () => Date,
  notice: (sentence: string) => void,
): KeptSessions {
  return {
    async list(): Promise<readonly Artifact[]> {
      if (!(await localFs.exists(join(folder, "state.db")))) return [];
      const { openArchive } = await import("../../store/state/archive.ts");
      try {
        const archive = openArchive(folder, now);
        try {
          return archive.vanished();
        } finally {
          archive.close();
        }
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        // What is on disk can be shown all the same.
        notice(archiveUnusable(error));
        return [];
      }
    },
    async open(artifact): Promise<SessionFs> {
      const [{ openArchive }, { createVaultFs }] = await Promise.all([
        import("../../store/state/archive.ts"),
        import("../../store/vault/fs.ts"),
      ]);
      const archive = openArchive(folder, now);
      try {
        return createVaultFs(archive.vault, archive.filesOf(artifact));
      } finally {
        archive.close();
      }
    },
  };
}

export const archiveUnusable = (error: AppError): string =>
  `The archive cannot be used now: ${error.message}`;
