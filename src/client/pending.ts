/** Answers of addresses whose operations are not declared yet. */

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
