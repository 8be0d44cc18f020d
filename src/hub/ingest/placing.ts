/** Decides, for one file of a push, which of its pieces are new and what the hub has of the file afterwards. Pure. */
import { AppError } from "../../model/errors.ts";
import type { FileState, PushedFile, PushedPiece } from "../protocol.ts";

/** A prefix of a generation that the hub has all bytes of. */
export interface Extent {
  readonly generation: number;
  readonly size: number;
  readonly sha256: string;
  readonly events: number;
}

export interface StoredFile {
  /** What readers see. */
  readonly current: Extent;
  /** What was sent beyond it, and is not complete. */
  readonly next?: Extent;
  readonly isRemoved: boolean;
}

/** Pieces of the pushed generation that the hub has, by where they begin. */
export type KnownPieces = ReadonlyMap<number, { readonly bytes: number; readonly sha256: string }>;

export interface Placed {
  readonly file: StoredFile;
  readonly added: readonly PushedPiece[];
  /** Nothing of the push was new: it was sent twice. */
  readonly isRepeated: boolean;
  /** What was sent for `next` before is replaced, from this byte on. */
  readonly restart?: number;
}

export const NOTHING: Extent = {
  generation: -1,
  size: 0,
  sha256: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  events: 0,
};

export function placeFile(stored: StoredFile | undefined, known: KnownPieces, pushed: PushedFile): Placed {
  const file = stored ?? { current: NOTHING, isRemoved: false };
  const { base, restart } = baseFor(file, known, pushed);
  const added: PushedPiece[] = [];
  let { size, events } = base;
  for (const piece of pushed.pieces) {
    const isNew = restart !== undefined || !isKnown(known, piece);
    if (!isNew) continue;
    if (piece.start !== size)
      throw conflict(pushed.path, `it continues at ${piece.start}, the hub at ${size}`);
    added.push(piece);
    size += piece.bytes;
    events += piece.events;
  }
  const isBegun = base.size === 0 && base.sha256 === NOTHING.sha256 && !isSeen(file, pushed.generation);
  if (added.length === 0 && !isBegun) return finishKnown(file, base, pushed);
  if (size !== pushed.size)
    throw conflict(pushed.path, `it would have ${size} bytes on the hub, and has ${pushed.size}`);
  const extent = { generation: pushed.generation, size, sha256: pushed.sha256, events };
  return {
    file: pushed.more === true ? { ...file, next: extent } : { current: extent, isRemoved: false },
    added,
    isRepeated: false,
    ...(restart !== undefined && { restart }),
  };
}

const isKnown = (known: KnownPieces, { start, bytes, sha256 }: PushedPiece): boolean => {
  const there = known.get(start);
  return there !== undefined && there.bytes === bytes && there.sha256 === sha256;
};

const isSeen = ({ current, next }: StoredFile, generation: number): boolean =>
  current.generation === generation || next?.generation === generation;

/** What the pieces have to continue: the end of what was sent, the beginning of a generation, or what is replaced. */
function baseFor(
  { current, next }: StoredFile,
  known: KnownPieces,
  { path, generation, pieces }: PushedFile,
): { readonly base: Extent; readonly restart?: number } {
  const [first] = pieces;
  const beginning =
    next?.generation === current.generation ? current : { ...NOTHING, generation: current.generation + 1 };
  if (next?.generation === generation) {
    const isOther = first !== undefined && first.start === beginning.size && !isKnown(known, first);
    // Of what nobody has seen yet, the latest attempt counts.
    if (isOther && next.size > beginning.size) return { base: beginning, restart: beginning.size };
    return { base: next };
  }
  if (generation === current.generation) return { base: current };
  // What was being added to a file that is another one now is given up.
  const isGivenUp = next?.generation === current.generation;
  if (generation === current.generation + 1 && (!next || isGivenUp))
    return { base: { ...NOTHING, generation } };
  throw conflict(
    path,
    `it is generation ${generation} of the file, and the hub has generation ${current.generation}`,
  );
}

/** Everything was there already. Only what is meant to become visible, or to be noted about the file, is new. */
function finishKnown(file: StoredFile, base: Extent, pushed: PushedFile): Placed {
  const isSame = base.size === pushed.size && base.sha256 === pushed.sha256;
  if (isSame && base === file.next && pushed.more !== true)
    return { file: { current: base, isRemoved: false }, added: [], isRepeated: false };
  if (isSame && base === file.current && pushed.pieces.length === 0)
    return { file: { ...file, isRemoved: false }, added: [], isRepeated: false };
  if (pushed.pieces.length === 0) throw conflict(pushed.path, "the hub has other bytes of it");
  return { file, added: [], isRepeated: true };
}

const conflict = (path: string, why: string): AppError =>
  new AppError("hub-conflict", `The hub has another state of ${path}: ${why}`, "Run `rethread sync` again");

export const toFileState = (path: string, { current, next, isRemoved }: StoredFile): FileState => ({
  path,
  generation: current.generation,
  size: current.size,
  sha256: current.sha256,
  removed: isRemoved,
  ...(next && { next: { generation: next.generation, size: next.size, sha256: next.sha256 } }),
});
