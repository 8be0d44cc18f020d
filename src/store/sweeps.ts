/** What the latest look at everything below each root found, to be compared with at a glance. */
import type { Database } from "../platform/sqlite/sqlite.ts";

export interface Sweep {
  readonly atMs: number;
  /** Of sessions, without line ends. */
  readonly names: readonly string[];
  /** Sizes and times, which only their source understands. */
  readonly stamps: Float64Array;
}

export interface FoundSweep extends Sweep {
  readonly source: string;
  readonly root: string;
}

/** Nothing where there was none, or the store had other rows then. */
export function readSweep(
  db: Database,
  { source, root }: Pick<FoundSweep, "source" | "root">,
  rowsVersion: number,
): Sweep | undefined {
  const row = db
    .prepare("SELECT at_ms, names, stamps FROM sweeps WHERE source = ? AND root = ? AND rows_version = ?")
    .get(source, root, rowsVersion);
  if (!row) return undefined;
  const names = String(row.names);
  const { buffer, byteOffset, byteLength } = row.stamps as Uint8Array<ArrayBuffer>;
  return {
    atMs: Number(row.at_ms),
    names: names === "" ? [] : names.split("\n"),
    // Copied, as numbers have to begin at a place that eight divides.
    stamps: new Float64Array(buffer.slice(byteOffset, byteOffset + byteLength)),
  };
}

export function writeSweeps(db: Database, sweeps: readonly FoundSweep[], rowsVersion: number): void {
  const write = db.prepare("INSERT OR REPLACE INTO sweeps VALUES (?, ?, ?, ?, ?, ?)");
  for (const { source, root, atMs, names, stamps } of sweeps) {
    const bytes = new Uint8Array(stamps.buffer, stamps.byteOffset, stamps.byteLength);
    write.run(source, root, atMs, rowsVersion, names.join("\n"), bytes);
  }
}
