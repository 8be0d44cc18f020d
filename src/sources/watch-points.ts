/** What a watcher asks the sources: where sessions appear, which folder is one's own, and a second look at some. */
import { join } from "node:path";
import type { Artifact } from "../model/session.ts";
import { type SessionFs, statEach } from "../platform/fs/session-fs.ts";
import type { Source } from "./source.ts";

export interface Lookout {
  /** Folders in which new sessions, or their folders, appear; some may not be there yet. */
  readonly entrances: readonly string[];
  /** What is in an entrance now, by its paths; nothing when it cannot be listed. */
  inside(entrance: string): Promise<string[]>;
  /** The folder that holds this session and nothing else, if it has one. */
  folderOf(artifact: Artifact): string | undefined;
  /** The same sessions as a scan would find them now; undefined where one is not where it was. */
  look(artifacts: readonly Artifact[]): Promise<(Artifact | undefined)[]>;
}

export function createLookout(
  placed: readonly { source: Source; roots: readonly string[] }[],
  fs: SessionFs,
): Lookout {
  const sources = new Map(placed.map(({ source }) => [source.id, source]));
  return {
    entrances: placed.flatMap(({ source, roots }) => roots.flatMap((root) => source.entrances?.(root) ?? [])),
    async inside(entrance) {
      try {
        return (await fs.readdir(entrance)).map(({ name }) => join(entrance, name));
      } catch (error) {
        if (!(error instanceof Error && "code" in error)) throw error;
        return []; // the next scan tells what is wrong with it
      }
    },
    folderOf: (artifact) => sources.get(artifact.source)?.folderOf?.(artifact),
    look: (artifacts) =>
      Promise.all(
        artifacts.map(async (artifact) => {
          try {
            return await (sources.get(artifact.source)?.look ?? lookAtFile)(fs, artifact);
          } catch {
            return undefined; // as if it were gone: then everything is scanned, which tells what is wrong
          }
        }),
      ),
  };
}

/** Most sessions are one file. */
async function lookAtFile(fs: SessionFs, artifact: Artifact): Promise<Artifact | undefined> {
  const [found] = await statEach(fs, [artifact.path]);
  if (!found || found instanceof Error || found.kind !== "file") return undefined;
  const { size, mtimeMs, ino } = found;
  return { ...artifact, fingerprint: { size, mtimeMs, ino } };
}
