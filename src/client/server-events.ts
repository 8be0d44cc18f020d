/** What the server tells as it happens, by the name of the event. */
export interface ServerEvents {
  readonly "session-changed": {
    readonly source: string;
    readonly id: string;
    /** `tagged`: its files are as they were. */
    readonly change: "added" | "changed" | "vanished" | "tagged";
  };
  readonly "index-progress": {
    readonly isIndexing: boolean;
    readonly done: number;
    readonly total: number;
    readonly sessions?: { readonly done: number; readonly total: number };
  };
  readonly "write-done": { readonly operation: string | null; readonly kind?: string };
  /** Items of the context board, or how often they were read. */
  readonly "board-changed": Readonly<Record<string, never>>;
  readonly "job-changed": { readonly job: string | null };
  readonly "chat-changed": { readonly id: string | null };
  /** What the client knows may be out of date: it asks for all of it again. */
  readonly reset: { readonly why: "restarted" | "too-old" | "many-changes" };
  /** The first event of each connection, with the id from which to continue. */
  readonly ready: { readonly instance: string };
}

export type EventName = keyof ServerEvents;
