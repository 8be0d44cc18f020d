/** One change to one file as an agent recorded it: enough to follow the lines of the file through it. */

/** Every change names the file as its record does: the path is neither resolved nor normalized. */
interface EditBase {
  readonly path: string;
  /** The whole file before the change, where that was recorded as well. */
  readonly before?: string;
}

/** The whole file. */
export interface WriteEdit extends EditBase {
  readonly does: "write";
  readonly text: string;
  /** There was no such file before. */
  readonly isNew?: true;
}

/** Texts for other texts, one after the other. */
export interface ReplaceEdit extends EditBase {
  readonly does: "replace";
  readonly pairs: readonly Replacement[];
}

export interface Replacement {
  readonly before: string;
  readonly after: string;
  /** Wherever it stands, not only once. */
  readonly all?: boolean;
}

/** Lines for other lines, with some around them that stay. */
export interface PatchEdit extends EditBase {
  readonly does: "patch";
  readonly hunks: readonly Hunk[];
}

export interface Hunk {
  /** The first of its lines before and after the change, counted from 1; nothing where the record does not say. */
  readonly start?: number;
  readonly newStart?: number;
  /** Each begins with a space (stays), a minus (goes) or a plus (comes). */
  readonly lines: readonly string[];
}

/** Texts at places: each step's places are those of the file as the step before left it. */
export interface SpliceEdit extends EditBase {
  readonly does: "splice";
  readonly steps: readonly (readonly Splice[])[];
}

/** Lines and columns count from 1; the end is the place behind the last character. */
export interface Splice {
  readonly startLine: number;
  readonly startColumn: number;
  readonly endLine: number;
  readonly endColumn: number;
  readonly text: string;
}

/** Pieces of the file as it is after the change, of which the record does not say where they went. */
export interface FragmentEdit extends EditBase {
  readonly does: "fragment";
  readonly texts: readonly string[];
}

export interface DeleteEdit extends EditBase {
  readonly does: "delete";
}

export interface MoveEdit extends EditBase {
  readonly does: "move";
  readonly to: string;
}

export type FileEdit =
  | WriteEdit
  | ReplaceEdit
  | PatchEdit
  | SpliceEdit
  | FragmentEdit
  | DeleteEdit
  | MoveEdit;
