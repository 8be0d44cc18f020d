/** A marker file that says whether a write left followups, so that reading commands need not open a database. */
import { join } from "node:path";
import { createEmpty, isThere, removeFile } from "../../platform/disk/own-files.ts";

const marker = (folder: string): string => join(folder, "errands.due");

export const hasFollowups = (folder: string): boolean => isThere(marker(folder));
export const markFollowups = (folder: string): void => createEmpty(marker(folder));
export const unmarkFollowups = (folder: string): void => removeFile(marker(folder));
