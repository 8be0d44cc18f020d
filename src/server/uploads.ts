/** Files that a page sends for an import: kept in our own folder under a name of our own, for a while. */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { makeFolder, namesIn, removeFile } from "../platform/disk/own-files.ts";
import { saveBody } from "../platform/http/bodies.ts";

export interface Uploads {
  /** The path by which `import` takes it. */
  keep(body: ReadableStream<Uint8Array> | null, ending: string): Promise<{ file: string; bytes: number }>;
  close(): void;
}

export const LARGEST_UPLOAD = 1 << 30;
export const UPLOAD_ENDINGS = [".tar.gz", ".tar", ".jsonl", ".json"] as const;
/** As long as a plan that was made from it can be applied, and some more. */
const KEPT_MS = 60 * 60_000;
const MOST = 20;

export function createUploads(dataFolder: string): Uploads {
  const folder = join(dataFolder, "uploads");
  const timers = new Map<string, NodeJS.Timeout>();
  const remove = (path: string): void => {
    clearTimeout(timers.get(path));
    timers.delete(path);
    removeFile(path);
  };
  return {
    async keep(body, ending) {
      makeFolder(folder);
      // What an earlier run left, and the oldest of too many.
      for (const name of namesIn(folder))
        if (!name.startsWith(".") && !timers.has(join(folder, name))) removeFile(join(folder, name));
      for (const oldest of [...timers.keys()].slice(0, Math.max(0, timers.size + 1 - MOST))) remove(oldest);
      const file = join(folder, `${randomUUID()}${ending}`);
      timers.set(file, setTimeout(() => remove(file), KEPT_MS).unref());
      try {
        return { file, bytes: await saveBody(body, file, LARGEST_UPLOAD) };
      } catch (error) {
        remove(file);
        throw error;
      }
    },
    close() {
      for (const path of [...timers.keys()]) remove(path);
    },
  };
}
