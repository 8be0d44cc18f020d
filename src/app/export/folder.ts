/** The folder that an export is written to. */
import { dirname, resolve } from "node:path";
import { isThere } from "../../platform/disk/own-files.ts";

/** Where it is missing before, a function that says afterwards which one was created. */
export function noticeNewFolder(folder: string, out: string | undefined): () => string | undefined {
  const around = out === undefined ? folder : dirname(resolve(folder, out));
  const isMissing = !isThere(around);
  return () => (isMissing && isThere(around) ? around : undefined);
}
