/** Where the store is. */
import { join } from "node:path";

export const storePath = (folder: string): string => join(folder, "session-store.db");
