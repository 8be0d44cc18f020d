/** What tells a folder from another one that was made at the same path later, in the form that editors use for it. */
import { statSync } from "node:fs";

export function birthMark(path: string): string {
  const { ino, birthtime, birthtimeMs } = statSync(path);
  if (process.platform === "linux") return String(ino);
  return String(process.platform === "darwin" ? birthtime.getTime() : Math.floor(birthtimeMs));
}
