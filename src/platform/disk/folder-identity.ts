/** Identifies a folder, as editors do, so that it differs from one created later at the same path. */
import type { SessionFs } from "../fs/session-fs.ts";

export async function folderIdentity(fs: SessionFs, path: string): Promise<string> {
  const { ino, birthtimeMs = 0 } = await fs.stat(path);
  if (process.platform === "linux") return String(ino);
  return String(process.platform === "darwin" ? Math.round(birthtimeMs) : Math.floor(birthtimeMs));
}
