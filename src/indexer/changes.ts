/** Decides what must be read again, from what is on disk and what was read before. Pure. */
import type { Artifact, SidecarMark, SourceId } from "../model/session/session.ts";
import type { FateOf } from "./vanished.ts";

/** What the store remembers of an artifact. */
export interface Mark {
  readonly source: SourceId;
  readonly path: string;
  readonly session: string;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ino: number;
  /** The byte after the last complete line, if reading may continue from there. */
  readonly readTo: number | null;
  /** What the vendor's own list said of it, as JSON. */
  readonly listed: string | null;
  /** The files beside it, where its source has such. */
  readonly sidecars: SidecarMark | null;
  readonly version: number;
  /** Not 0 when its files were gone the last time. */
  readonly gone: number;
}

export type Change =
  | { readonly kind: "read"; readonly artifact: Artifact; readonly before?: Mark }
  | { readonly kind: "tail"; readonly artifact: Artifact; readonly before: Mark }
  /** Only files beside the log have changed. */
  | { readonly kind: "sidecars"; readonly artifact: Artifact; readonly before: Mark }
  /** The files are gone: the rows stay, and say so. */
  | { readonly kind: "vanished"; readonly before: Mark }
  | { readonly kind: "removed"; readonly before: Mark }
  /** The very same files are back. */
  | { readonly kind: "returned"; readonly before: Mark };

export interface Changes {
  readonly changes: readonly Change[];
  readonly unchanged: number;
}

export function findChanges(
  artifacts: readonly Artifact[],
  marks: readonly Mark[],
  scanned: readonly SourceId[],
  version: number,
  fateOf: FateOf,
): Changes {
  const known = bySource(marks);
  const changes: Change[] = [];
  let unchanged = 0;
  for (const artifact of artifacts) {
    const before = known.get(artifact.source)?.get(artifact.path);
    if (before) known.get(artifact.source)?.delete(artifact.path);
    if (!before || before.version !== version)
      changes.push({ kind: "read", artifact, ...(before && { before }) });
    // What the store knows is at least as new as our own copy.
    else if (artifact.vanishedAt !== undefined && before.gone) unchanged++;
    else if (artifact.vanishedAt !== undefined) changes.push({ kind: "vanished", before });
    else if (isSame(artifact, before) && before.gone) changes.push({ kind: "returned", before });
    else if (isSame(artifact, before) && hasSameSidecars(artifact, before)) unchanged++;
    else if (isSame(artifact, before)) changes.push({ kind: "sidecars", artifact, before });
    else if (!before.gone && mayHaveGrown(artifact, before)) changes.push({ kind: "tail", artifact, before });
    else changes.push({ kind: "read", artifact, before });
  }
  for (const source of scanned) {
    for (const before of known.get(source)?.values() ?? []) {
      const fate = fateOf(before);
      if (fate === "remove") changes.push({ kind: "removed", before });
      else if (fate === "keep" && !before.gone) changes.push({ kind: "vanished", before });
    }
  }
  return { changes, unchanged };
}

/** A map in each rather than one of longer keys: making thousands of those would take longer than all the rest. */
function bySource(marks: readonly Mark[]): Map<SourceId, Map<string, Mark>> {
  const sources = new Map<SourceId, Map<string, Mark>>();
  for (const mark of marks) {
    const paths = sources.get(mark.source);
    if (paths) paths.set(mark.path, mark);
    else sources.set(mark.source, new Map([[mark.path, mark]]));
  }
  return sources;
}

const isSame = ({ fingerprint, listed }: Artifact, before: Mark): boolean =>
  fingerprint.size === before.size &&
  fingerprint.mtimeMs === before.mtimeMs &&
  fingerprint.ino === before.ino &&
  // A title or a workspace may come from the list, which changes apart from the file.
  (listed === undefined ? null : JSON.stringify(listed)) === before.listed;

/** Folders may differ: locks and other things of the moment come and go there. */
const hasSameSidecars = ({ sidecars }: Artifact, before: Mark): boolean =>
  sidecars === undefined || sidecars.files === before.sidecars?.files;

/** Longer than before and the same file: perhaps only appended to. The guard decides when it is read. */
const mayHaveGrown = ({ fingerprint }: Artifact, before: Mark): boolean =>
  before.readTo !== null && fingerprint.ino === before.ino && fingerprint.size > before.size;

/**
 * Newest first: what is missing while not all of it is read, or where reading was interrupted, is what is least likely to
 * be asked for. Before that, what needs no reading: a session that moved is found in its new place under the id that its
 * old one gave free.
 */
export function inOrder(changes: readonly Change[]): Change[] {
  const quick = changes.filter((change) => !("artifact" in change));
  const toRead = changes.filter((change) => "artifact" in change);
  toRead.sort((a, b) => b.artifact.fingerprint.mtimeMs - a.artifact.fingerprint.mtimeMs);
  return [...quick, ...toRead];
}
