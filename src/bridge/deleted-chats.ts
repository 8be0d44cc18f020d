/** Conversations that were deleted: their files are kept for a month, so that each can be brought back. */
import { join } from "node:path";
import { AppError } from "../model/errors.ts";
import { bestOf, rankStart } from "../model/values/id.ts";
import { createNewFile } from "../platform/disk/new-file.ts";
import {
  changedAt,
  isThere,
  makeFolder,
  namesIn,
  readIfThere,
  removeFile,
  renameFile,
} from "../platform/disk/own-files.ts";

export interface DeletedChats {
  put(id: string, now: Date): void;
  /** Gives back its id. */
  bringBack(name: string): string;
}

const KEPT_DAYS = 30;
const ENDING = ".json";

export function openDeleted(chats: string, placeOf: (id: string) => string): DeletedChats {
  const folder = join(chats, "deleted");
  const pathOf = (id: string): string => join(folder, id + ENDING);
  const ids = (): string[] =>
    namesIn(folder).flatMap((name) => (name.endsWith(ENDING) ? [name.slice(0, -ENDING.length)] : []));
  return {
    put(id, now) {
      const bytes = readIfThere(placeOf(id));
      if (!bytes) return;
      makeFolder(folder);
      // A copy, because its time tells when it was deleted; and first, so that a crash leaves both.
      const file = createNewFile(pathOf(id), { replace: true, mode: 0o600 });
      file.write(bytes);
      file.finish();
      removeFile(placeOf(id));
      const oldest = now.getTime() - KEPT_DAYS * 86_400_000;
      for (const each of ids()) if (each !== id && changedAt(pathOf(each)) < oldest) removeFile(pathOf(each));
    },
    bringBack(name) {
      const [id, another] = bestOf(ids(), (each) => rankStart(name, each));
      if (id === undefined)
        throw new AppError(
          "session-not-found",
          `No deleted conversation matches "${name}"`,
          `They are kept for ${KEPT_DAYS} days; see ${folder}`,
        );
      if (another !== undefined)
        throw new AppError(
          "session-ambiguous",
          `"${name}" matches several deleted conversations`,
          "Write more of its id",
        );
      if (isThere(placeOf(id)))
        throw new AppError(
          "file-exists",
          `Conversation ${id} is there already`,
          `Look at both: ${pathOf(id)}`,
        );
      renameFile(pathOf(id), placeOf(id));
      return id;
    },
  };
}
