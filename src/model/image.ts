/** A file as it will be written. */

export interface FileImage {
  /** Relative to the root of its source, with forward slashes. */
  readonly path: string;
  readonly content: FileContent;
  readonly mode?: number;
  readonly mtime?: string;
}

/** Bytes, the rows that a key-value database of the vendor must hold, or the statements that make another one. */
export type FileContent =
  | string
  | Uint8Array
  | { readonly sql: string }
  | { readonly table: string; readonly rows: Readonly<Record<string, string>> };
