/** A session as a page in our own folder, where a browser finds it; the next page of the same session replaces it. */
import { join } from "node:path";
import type { Artifact } from "../../model/session/session.ts";
import { createNewFile } from "../../platform/disk/new-file.ts";
import { makeFolder } from "../../platform/disk/own-files.ts";
import type { Write } from "./export.ts";

export async function writePage(
  dataFolder: string,
  { source, id }: Pick<Artifact, "source" | "id">,
  tell: (write: Write) => Promise<void>,
): Promise<string> {
  const folder = join(dataFolder, "pages");
  // Only for its owner, as all of our folder is.
  makeFolder(folder);
  const path = join(folder, `${source}-${id.replace(/[^\w.-]/g, "_").slice(0, 100)}.html`);
  const file = createNewFile(path, { replace: true, mode: 0o600 });
  try {
    await tell(file.write);
  } catch (error) {
    file.discard();
    throw error;
  }
  file.finish();
  return path;
}
