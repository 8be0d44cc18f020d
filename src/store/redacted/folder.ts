/** Where the copy of the store without secrets lies: a store of its own beside the other. */
import { join } from "node:path";

export const redactedFolder = (folder: string): string => join(folder, "redacted");
