/** Records which sessions the vault has: the copy that is left when an agent deletes its own files. */
import type { Artifact } from "../../model/session/session.ts";
import { transaction } from "../../platform/sqlite/sqlite.ts";
import type { KeptFile } from "../vault/kept-file.ts";
import { openVault, type Vault } from "../vault/vault.ts";
import { removeUnnamed } from "./garbage.ts";
import { guarded, openState } from "./open.ts";

export interface Archive {
  readonly vault: Vault;
  /** As they were when they were archived; those whose files are gone say since when. */
  sessions(): Artifact[];
  /** Only those whose files are gone. */
  vanished(): Artifact[];
  filesOf(artifact: Pick<Artifact, "source" | "path">): KeptFile[];
  /** Replaces what was kept of these. Gives back those of which a block is gone since it was put: they must be put again. */
  put(copies: readonly Copy[]): Promise<Copy[]>;
  /** Notes that the files are gone since then, or that they are back. */
  setVanished(artifact: Pick<Artifact, "source" | "path">, since: string | undefined): void;
  forget(artifact: Pick<Artifact, "source" | "path">): void;
  /** Removes the blocks that earlier versions had and nobody else has; or all that nobody has, as killed processes leave some. */
  sweep(where: "released" | "everywhere"): void;
  close(): void;
}

export interface Copy {
  readonly artifact: Artifact;
  readonly files: readonly KeptFile[];
}

const COLUMNS = "id, source, session, root, path, size, mtime_ms, ino, listed, vanished_at";

export function openArchive(folder: string, now: () => Date): Archive {
  const db = openState(folder, now);
  const vault = openVault(folder);
  const one = db.prepare("SELECT id FROM archived_sessions WHERE source = ? AND path = ?");
  const files = db.prepare("SELECT * FROM kept_files WHERE archived = ? ORDER BY path");
  const blocks = db.prepare("SELECT hash FROM kept_blocks WHERE file = ? ORDER BY position");
  const insertSession = db.prepare(
    "INSERT INTO archived_sessions (source, session, root, path, size, mtime_ms, ino, listed, archived_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
  );
  const insertFile = db.prepare(
    "INSERT INTO kept_files (archived, path, size, mtime_ms, ino, mode) VALUES (?, ?, ?, ?, ?, ?)",
  );
  const insertBlock = db.prepare("INSERT INTO kept_blocks (file, position, hash) VALUES (?, ?, ?)");
  const remove = db.prepare("DELETE FROM archived_sessions WHERE id = ?");
  const mark = db.prepare("UPDATE archived_sessions SET vanished_at = ? WHERE source = ? AND path = ?");
  const hashesOf = (file: unknown): string[] => blocks.all(Number(file)).map((row) => String(row.hash));
  /** Perhaps named by nobody any more. */
  const released = new Set<string>();

  const idOf = ({ source, path }: Pick<Artifact, "source" | "path">): number | undefined => {
    const id = one.get(source, path)?.id;
    return id === undefined ? undefined : Number(id);
  };
  const drop = (artifact: Pick<Artifact, "source" | "path">): void => {
    const id = idOf(artifact);
    if (id === undefined) return;
    for (const { id: file } of files.all(id)) for (const hash of hashesOf(file)) released.add(hash);
    remove.run(id);
  };
  const add = (artifact: Artifact, kept: readonly KeptFile[]): void => {
    const { size, mtimeMs, ino } = artifact.fingerprint;
    const listed = artifact.listed ? JSON.stringify(artifact.listed) : null;
    const { lastInsertRowid: archived } = insertSession.run(
      artifact.source,
      artifact.id,
      artifact.root,
      artifact.path,
      size,
      mtimeMs,
      ino,
      listed,
      now().toISOString(),
    );
    for (const file of kept) {
      const { lastInsertRowid } = insertFile.run(
        archived,
        file.path,
        file.size,
        file.mtimeMs,
        file.ino,
        file.mode,
      );
      for (const [position, hash] of file.blocks.entries()) insertBlock.run(lastInsertRowid, position, hash);
    }
  };

  return {
    vault,
    sessions: () =>
      guarded(folder, () => db.prepare(`SELECT ${COLUMNS} FROM archived_sessions`).all().map(toArtifact)),
    vanished: () =>
      guarded(folder, () =>
        db
          .prepare(`SELECT ${COLUMNS} FROM archived_sessions WHERE vanished_at IS NOT NULL`)
          .all()
          .map(toArtifact),
      ),
    filesOf: (artifact) =>
      guarded(folder, () =>
        files.all(idOf(artifact) ?? -1).map((row) => ({
          path: String(row.path),
          size: Number(row.size),
          mtimeMs: Number(row.mtime_ms),
          ino: Number(row.ino),
          mode: Number(row.mode),
          blocks: hashesOf(row.id),
        })),
      ),
    async put(copies) {
      await vault.flush();
      return guarded(folder, () =>
        transaction(db, () => {
          // Under the write lock, as whoever sweeps holds it too: what is there now stays. That it is good was proven
          // when the files were kept, of large ones as far as there was time.
          const isWhole = (file: KeptFile): boolean => file.blocks.every(vault.has);
          const { whole = [], torn = [] } = Object.groupBy(copies, (copy) =>
            copy.files.every(isWhole) ? "whole" : "torn",
          );
          for (const { artifact, files: kept } of whole) {
            drop(artifact);
            add(artifact, kept);
          }
          return torn;
        }),
      );
    },
    setVanished: ({ source, path }, since) =>
      guarded(folder, () => void mark.run(since ?? null, source, path)),
    forget: (artifact) => guarded(folder, () => transaction(db, () => drop(artifact))),
    sweep(where) {
      if (where === "everywhere") vault.tidy();
      const hashes = where === "released" ? [...released] : vault.hashes();
      if (hashes.length > 0) guarded(folder, () => removeUnnamed(db, vault, hashes));
      released.clear();
    },
    close() {
      vault.abandon();
      db.close();
    },
  };
}

function toArtifact(row: Record<string, unknown>): Artifact {
  return {
    source: String(row.source),
    id: String(row.session),
    root: String(row.root),
    path: String(row.path),
    fingerprint: { size: Number(row.size), mtimeMs: Number(row.mtime_ms), ino: Number(row.ino) },
    ...(row.listed !== null && { listed: JSON.parse(String(row.listed)) }),
    ...(row.vanished_at !== null && { vanishedAt: String(row.vanished_at) }),
  };
}
