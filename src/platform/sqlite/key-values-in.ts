/** Reads values of a key-value database of any SessionFs. */

import type { SessionFs } from "../fs/session-fs.ts";
import { selectValues, type Values } from "./key-values.ts";
import { peekIn } from "./peek-in.ts";
import { userVersionOf } from "./sqlite.ts";

export const readValuesIn = (
  fs: SessionFs,
  path: string,
  table: string,
  keys: readonly string[],
): Promise<Values> => peekIn(fs, path, (db) => selectValues(db, table, keys));

/** What a database says of its own form (`user_version`). */
export const readUserVersionIn = (fs: SessionFs, path: string): Promise<number> =>
  peekIn(fs, path, userVersionOf);
