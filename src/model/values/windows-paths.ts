/** What can be said of paths without `node:path`, which pages do not have. */

/** It starts with a drive or a share, so case does not matter in it. */
export const isWindowsPath = (path: string): boolean => hasDrive(path) || path.startsWith("\\\\");

export const hasDrive = (path: string): boolean => /^[A-Za-z]:/.test(path);

export const SEPARATOR = /[\\/]/;

export const segmentsOf = (path: string): string[] => path.split(SEPARATOR);
