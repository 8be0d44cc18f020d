/** Which paths are of Windows; apart from the other functions of paths, for pages, which have no `node:path`. */

/** It starts with a drive or a share, so case does not matter in it. */
export const isWindowsPath = (path: string): boolean => hasDrive(path) || path.startsWith("\\\\");

export const hasDrive = (path: string): boolean => /^[A-Za-z]:/.test(path);
