/** Compares the redacted files of a session with what the hub has of them, and decides what is sent. */
import { randomInt } from "node:crypto";
import { type FileState, LARGEST_PIECE } from "../protocol.ts";
import type { RedactedFile } from "./redacted-files.ts";

/** A file, or the rest of it, to be sent. */
export interface FilePlan {
  readonly file: RedactedFile;
  readonly generation: number;
  /** The first byte that the hub does not have. */
  readonly start: number;
  /** The size of the first piece at most, where it must differ from what was sent before. */
  readonly first?: number;
}

/** The lengths at which the hub may have a prefix of a file. */
export const lengthsIn = (states: readonly FileState[], path: string): readonly number[] =>
  states.flatMap((state) =>
    state.path === path ? [state.size, ...(state.next ? [state.next.size] : [])] : [],
  );

/** Nothing where the hub has all of it. */
export function planFile(file: RedactedFile, state: FileState | undefined): FilePlan | undefined {
  if (!state) return { file, generation: 0, start: 0 };
  const { generation, next, removed } = state;
  const has = ({ size, sha256 }: { readonly size: number; readonly sha256: string }): boolean =>
    file.hash.at(size)?.digest("hex") === sha256;
  const isKnown = generation >= 0 && has(state);
  // What was begun and not finished is continued, or begun again where the file is another one now.
  if (next && has(next)) return { file, generation: next.generation, start: next.size };
  if (next && next.generation !== generation)
    return { file, generation: next.generation, start: 0, first: otherSize() };
  if (!isKnown) return { file, generation: generation + 1, start: 0 };
  if (next) return { file, generation, start: state.size, first: otherSize() };
  const isSame = state.size === file.size;
  return isSame && !removed ? undefined : { file, generation, start: state.size };
}

/** A piece of another length is another piece, so that nobody takes it for the one that was sent before. */
const otherSize = (): number => LARGEST_PIECE - randomInt(1, LARGEST_PIECE >> 2);

/** The paths that the hub has and the session no longer. */
export const removedPaths = (
  states: readonly FileState[],
  files: readonly { readonly path: string }[],
): string[] => {
  const here = new Set(files.map(({ path }) => path));
  return states.filter(({ path, removed }) => !removed && !here.has(path)).map(({ path }) => path);
};
