/** Answers of addresses whose operations are not declared yet. */

export interface RecordText {
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly bytes: number;
  readonly text: string;
  readonly cut: boolean;
}
export interface Found {
  readonly matches: readonly { readonly turn: number; readonly where: string; readonly snippet: string }[];
  readonly total: number;
  readonly cut: boolean;
}
export interface IndexState {
  readonly isIndexing: boolean;
  readonly demo?: "asked" | "nothing-else" | null;
  readonly sessions: number;
  readonly turns: number;
  readonly problems: number;
  readonly storeBytes: number;
  readonly storePath: string;
  readonly indexedAt: string | null;
  readonly homes: readonly {
    readonly source: string;
    readonly label: string;
    readonly path: string;
    readonly exists: boolean;
    readonly sessions: number;
  }[];
}
