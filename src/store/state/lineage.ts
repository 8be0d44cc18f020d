/** Records which session was made from which, because most formats have no field for it. */
import { guarded, openStateIfThere } from "./open.ts";

export interface LineageRow {
  readonly child: { readonly source: string; readonly id: string };
  readonly parent: { readonly source: string; readonly id: string };
  readonly kind: "clone" | "fork" | "handoff" | "import";
  readonly madeAt: string;
  /** The journal's id of the write that made the child. */
  readonly operation?: string;
}

/** In the order they were made. */
export function readLineage(folder: string, now: () => Date): LineageRow[] {
  const db = openStateIfThere(folder, now);
  if (!db) return [];
  try {
    const all = db.prepare("SELECT * FROM lineage ORDER BY made_at, child_source, child_id");
    return guarded(folder, () => all.all()).map((row) => ({
      child: { source: String(row.child_source), id: String(row.child_id) },
      parent: { source: String(row.parent_source), id: String(row.parent_id) },
      kind: row.kind as LineageRow["kind"],
      madeAt: String(row.made_at),
      ...(row.operation !== null && { operation: String(row.operation) }),
    }));
  } finally {
    db.close();
  }
}
