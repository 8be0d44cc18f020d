/** What every call takes beside its input: how to stop it, who hears how far it is, and how fresh the answer must be. */
export interface Call {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: CallProgress) => void;
  /** `current` (the default) indexes changed sessions first; `stored` asks the store as it is. */
  readonly freshness?: "current" | "stored";
}

/** How far a call has come: bytes or sessions, as the work counts them. */
export interface CallProgress {
  readonly done: number;
  readonly total: number;
  /** Where `done` and `total` are bytes of several sessions: how many of those are done. */
  readonly sessions?: { readonly done: number; readonly total: number };
}
