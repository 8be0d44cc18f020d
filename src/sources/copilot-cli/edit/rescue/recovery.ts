/**
 * Restores what the program's own repair dropped. It drops every line that it cannot parse, but leaves a copy of the
 * old log; records that can be repaired there are put back in place.
 */
import type { Piece } from "../../../../model/plan.ts";
import type { Artifact } from "../../../../model/session/session.ts";
import { eachLine } from "../../../../platform/fs/lines.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import { judge } from "../../log/records.ts";
import { listFolder } from "../../scan.ts";
import { folderOf, isRecoveryCopy, under } from "../../workspace/locate.ts";
import { type RepairedRecord, repairedRecords } from "./log.ts";

/** A record that is in a copy, and no longer in the log. */
export interface Dropped extends RepairedRecord {
  readonly copy: string;
  /** The byte of the log behind which it stood. */
  readonly at: number;
}

/** The copies of a session, in the order of their names. */
export async function recoveryCopies(fs: SessionFs, { path }: Artifact): Promise<string[]> {
  const folder = folderOf(path);
  if (folder === undefined) return [];
  // A folder that cannot be listed is reported where it is scanned.
  const entries = await listFolder(fs, folder, { problem: () => undefined });
  return entries
    .flatMap(({ name, kind }) => (kind === "file" && isRecoveryCopy(name) ? [under(folder, name)] : []))
    .sort();
}

/** In the order of the log. Only behind records that are still in it: the others went with a rewind. */
export async function findDropped(fs: SessionFs, artifact: Artifact): Promise<Dropped[]> {
  const found = new Map<string, RepairedRecord & { copy: string }>();
  for (const copy of await recoveryCopies(fs, artifact))
    for (const repaired of await repairedRecords(fs, { ...artifact, path: copy }))
      if (!found.has(repaired.id)) found.set(repaired.id, { ...repaired, copy });
  if (found.size === 0) return [];
  const wanted = new Set([...found.values()].flatMap(({ id, after }) => [id, after]));
  const ends = await endsOf(fs, artifact.path, wanted);
  const dropped = new Map<string, Dropped>();
  for (const record of found.values()) {
    const at = dropped.get(record.after ?? "")?.at ?? ends.get(record.after ?? "");
    if (at !== undefined && !ends.has(record.id)) dropped.set(record.id, { ...record, at });
  }
  return [...dropped.values()].sort((a, b) => a.at - b.at);
}

/** Where the lines of these records end. */
async function endsOf(
  fs: SessionFs,
  path: string,
  ids: ReadonlySet<string | undefined>,
): Promise<Map<string, number>> {
  const ends = new Map<string, number>();
  await eachLine(fs, path, (line) => {
    const id = judge(line).record?.id;
    if (id !== undefined && ids.has(id)) ends.set(id, line.end + (line.ended ? 1 : 0));
  });
  return ends;
}

export function withDropped(path: string, size: number, dropped: readonly Dropped[]): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const { at, text } of dropped) {
    if (at > from) pieces.push({ file: path, start: from, end: at });
    pieces.push({ text });
    from = at;
  }
  return size > from ? [...pieces, { file: path, start: from, end: size }] : pieces;
}
