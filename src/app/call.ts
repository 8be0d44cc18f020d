/** The options of every call: signal, progress, notices, and freshness. */
import type { Progress as IndexProgress } from "../indexer/refresh.ts";
import type { Advice } from "../model/remedy.ts";
import type { Progress } from "../query/heads.ts";

export interface Call {
  /** Rejects the call with `aborted`; nothing more is read. A write that has begun is carried out. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: CallProgress) => void;
  /**
   * `current` (the default) indexes changed sessions first; `stored` asks the store as it is. A function is asked once the
   * answer needs the store.
   */
  readonly freshness?: CallFreshness | (() => Promise<CallFreshness>);
  /** Called with a sentence about what had to be done on the way; by default the app's own notice. */
  readonly onNotice?: Notice;
}

export type CallFreshness = "current" | "stored";

/** How far a call has come: bytes or sessions, as the work counts them. */
export interface CallProgress {
  readonly done: number;
  readonly total: number;
  /** Where `done` and `total` are bytes of several sessions: how many of those are done. */
  readonly sessions?: { readonly done: number; readonly total: number };
}

export type Notice = (sentence: string) => void;

/** The same with the next step as data, which is worded for the home that is read. */
export type Tell = (advice: Advice) => void;

export const toProgress = ({ onProgress }: Call): Progress | undefined =>
  onProgress && ((done, total) => onProgress({ done, total }));

/** Bytes tell how far it is; where there are none to read, sessions do. */
export const toIndexProgress = ({ onProgress }: Call): ((progress: IndexProgress) => void) | undefined =>
  onProgress &&
  (({ bytes, totalBytes, done, total }) =>
    onProgress(
      totalBytes > 0 ? { done: bytes, total: totalBytes, sessions: { done, total } } : { done, total },
    ));

/** The same the other way round, for a run that another process makes. */
export const fromCallProgress =
  (onProgress: (progress: IndexProgress) => void) =>
  ({ done, total, sessions }: CallProgress): void =>
    onProgress(
      sessions ? { ...sessions, bytes: done, totalBytes: total } : { done, total, bytes: 0, totalBytes: 0 },
    );

/** For work that must not be cut off once it has begun. */
export const withoutSignal = ({ signal: _, ...call }: Call): Call => call;

/** One call may come upon the same thing twice. */
export function onceEach(notice: Notice): Notice {
  const told = new Set<string>();
  return (sentence) => {
    if (!told.has(sentence)) notice(sentence);
    told.add(sentence);
  };
}
