/** Inputs and calls of operations, in the terms of the app. */
import type { ListRequest, NamedRequest } from "../app/contract.ts";
import { toPlainDate } from "../model/time.ts";
import type { Call } from "./call.ts";
import type { Described } from "./operation.ts";
import type { place } from "./schemas/inputs.ts";

export type Place = Described<typeof place>;

export const toListRequest = (
  { since, until, ...rest }: Place & { readonly limit?: number },
  call: Call,
): ListRequest => ({
  ...rest,
  ...(since && { since: plain(since) }),
  ...(until && { until: plain(until) }),
  noRefresh: call.freshness === "stored",
});

/** With four digits for the year, whatever moment it is. */
const plain = (date: Date): string => toPlainDate(date.getTime()).toISOString();

/** For calls that count sessions, or the bytes of one. */
export const toProgress = ({ onProgress }: Call): NamedRequest["progress"] =>
  onProgress && ((done, total) => onProgress({ done, total }));

export const toNamedRequest = (call: Call): NamedRequest => {
  const progress = toProgress(call);
  return { noRefresh: call.freshness === "stored", ...(progress && { progress }) };
};

/** For calls that count bytes of several sessions. */
export const toIndexProgress = ({ onProgress }: Call) =>
  onProgress && {
    onProgress: (progress: {
      readonly done: number;
      readonly total: number;
      readonly bytes: number;
      readonly totalBytes: number;
    }) =>
      onProgress({
        done: progress.bytes,
        total: progress.totalBytes,
        sessions: { done: progress.done, total: progress.total },
      }),
  };
