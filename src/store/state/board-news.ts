/** Tells whoever watches our folder that the board has changed, whichever process changed it. */
import { join } from "node:path";
import { createEmpty, isFolder, removeFile } from "../../platform/disk/own-files.ts";

/** There while a server runs, or has run; a file comes and goes in it with each change. */
export const boardNewsFolder = (folder: string): string => join(folder, "board");

/** What was written is written, whether or not that can be told. */
export function tellBoardChanged(folder: string, operation: string): void {
  const news = boardNewsFolder(folder);
  if (!isFolder(news)) return;
  const file = join(news, `${operation}-${process.pid}.json`);
  try {
    createEmpty(file);
    removeFile(file);
  } catch {
    return;
  }
}
