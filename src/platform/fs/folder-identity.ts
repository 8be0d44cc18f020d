/** What tells a folder from another one that was made at the same path later, in the form that editors use for it. */
import type { SessionFs } from "./session-fs.ts";

export async function folderIdentity(fs: SessionFs, path: string): Promise<string> {
  const { ino, birthtimeMs = 0 } = await fs.stat(path);
  if (process.platform === "linux") return String(ino);
  return String(process.platform === "darwin" ? Math.round(birthtimeMs) : Math.floor(birthtimeMs));
}
