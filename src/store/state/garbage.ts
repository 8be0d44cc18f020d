/** Removes blocks of the vault that no file needs any more. */
import { type Database, transaction } from "../../platform/sqlite/sqlite.ts";
import type { Vault } from "../vault/vault.ts";

/** Holds state.db's write lock, so that no block becomes needed between the check and the removal. */
export function removeUnnamed(db: Database, vault: Vault, hashes: Iterable<string>): number {
  const named = db.prepare(
    "SELECT 1 FROM kept_blocks WHERE hash = ?1 UNION ALL SELECT 1 FROM earlier_blocks WHERE hash = ?1 LIMIT 1",
  );
  return transaction(db, () => {
    const garbage = [...hashes].filter((hash) => !named.get(hash));
    for (const hash of garbage) vault.remove(hash);
    return garbage.length;
  });
}
