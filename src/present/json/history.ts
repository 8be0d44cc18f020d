/** Rethread's own writes and their backups, as JSON. */
import type { Audit, BackupReport, PastWrite } from "../../app/contract.ts";
import { formatKey } from "../../model/values/id.ts";

const toPastWriteJson = ({ session, undoes, became, isConfirmed, backup, ...write }: PastWrite) => ({
  ...write,
  session: { source: session.source, id: session.id },
  undoes: undoes ?? null,
  became: became ?? [],
  confirmed: isConfirmed,
  backup: { ...backup, until: backup.until ?? null, path: backup.path ?? null },
});

export const toHistoryJson = (
  writes: readonly PastWrite[],
  { stored, retention, prunable }: BackupReport,
) => ({ writes: writes.map(toPastWriteJson), backups: { stored, ...retention, prunable } });

export const toAuditJson = ({ blocks, bytes: size, bad, strays, state }: Audit) => ({
  blocks,
  bytes: size,
  bad: bad.map(({ hash, path, why, needs, copy = null, isRepaired }) => ({
    block: hash,
    path,
    why,
    operations: distinct(needs.flatMap(({ write }) => write?.operation ?? [])),
    sessions: [
      ...new Map(
        needs.flatMap(({ session }) => (session.source === "" ? [] : [[formatKey(session), session]])),
      ).values(),
    ],
    files: distinct(needs.map((need) => need.path)),
    copy,
    repaired: isRepaired,
  })),
  strays,
  state,
});

const distinct = (texts: readonly string[]): string[] => [...new Set(texts)];
