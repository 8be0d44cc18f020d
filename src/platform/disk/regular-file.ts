/** Opens a path only if it is a regular file: a pipe would block the process, and a device has no end. */
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

/** Without it the opening of a pipe waits for somebody to write into it. */
const AT_ONCE = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

export const openRegular = (path: string): number => openSized(path).fd;

/** The same with its size. Reading a folder fails in words of its own. */
export function openSized(path: string): { readonly fd: number; readonly size: number } {
  const fd = openSync(path, AT_ONCE);
  const stats = fstatSync(fd);
  if (stats.isFile() || stats.isDirectory()) return { fd, size: stats.size };
  closeSync(fd);
  throw Object.assign(new Error(`EINVAL: not a regular file, open '${path}'`), { code: "EINVAL" });
}

/** Its first bytes as text. */
export function readBeginning(path: string, bytes: number): string {
  const fd = openRegular(path);
  try {
    const beginning = Buffer.alloc(bytes);
    return beginning.toString("utf8", 0, readSync(fd, beginning));
  } finally {
    closeSync(fd);
  }
}
