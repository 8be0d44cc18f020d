/**
 * What a watcher needs from the sources: the folders in which sessions appear, and the current state of some sessions.
 */
import { join } from "node:path";
import type { Artifact } from "../../model/session/session.ts";
import { type SessionFs, statEach } from "../../platform/fs/session-fs.ts";
import type { PlacedSources } from "./placed-sources.ts";

export interface WatchPoints {
  /** Folders in which new sessions, or their folders, appear; some may not be there yet. */
  readonly newSessionFolders: readonly string[];
  /** The paths in such a folder now; none when it cannot be listed. */
  inside(folder: string): Promise<string[]>;
  /** The folder that holds this session and nothing else, if it has one. */
  folderOf(artifact: Artifact): string | undefined;
  /** The folders of files beside its log that are searchable, below the one that it has for itself. */
  besideOf(artifact: Artifact): readonly string[];
  /** The same sessions as a scan would find them now; undefined where one is not where it was. */
  inspect(artifacts: readonly Artifact[]): Promise<(Artifact | undefined)[]>;
}

export function createWatchPoints(
  { placed, newSessionFolders }: Pick<PlacedSources, "placed" | "newSessionFolders">,
  fs: SessionFs,
): WatchPoints {
  const sources = new Map(placed.map(({ source }) => [source.id, source]));
  return {
    newSessionFolders,
    async inside(folder) {
      try {
        return (await fs.readdir(folder)).map(({ name }) => join(folder, name));
      } catch (error) {
        if (!(error instanceof Error && "code" in error)) throw error;
        return []; // the next scan tells what is wrong with it
      }
    },
    folderOf: (artifact) => sources.get(artifact.source)?.files?.folderOf?.(artifact),
    besideOf: (artifact) => sources.get(artifact.source)?.sidecars?.folders(artifact) ?? [],
    inspect: (artifacts) =>
      Promise.all(
        artifacts.map(async (artifact) => {
          try {
            return await (sources.get(artifact.source)?.watch?.inspect ?? inspectFile)(fs, artifact);
          } catch {
            return undefined; // as if it were gone: then everything is scanned, which tells what is wrong
          }
        }),
      ),
  };
}

/** Most sessions are one file. */
async function inspectFile(fs: SessionFs, artifact: Artifact): Promise<Artifact | undefined> {
  const [found] = await statEach(fs, [artifact.path]);
  if (!found || found instanceof Error || found.kind !== "file") return undefined;
  const { size, mtimeMs, ino } = found;
  return { ...artifact, fingerprint: { size, mtimeMs, ino } };
}
