/** The schema of a store that holds nothing yet, for the page about it. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "../src/store/open.ts";
import { readSchema, type StoreSchema } from "../src/store/schema.ts";

export function emptySchema(): StoreSchema {
  const folder = mkdtempSync(join(tmpdir(), "rethread-schema-"));
  const db = openStore({ folder, now: () => new Date(), notice: () => undefined });
  try {
    return readSchema(db);
  } finally {
    db.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
