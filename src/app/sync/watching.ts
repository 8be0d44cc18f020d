/** Pushes sessions as they change, until it is stopped. */

import { AppError } from "../../model/errors.ts";
import { formatKey } from "../../model/values/id.ts";
import { isAborted } from "../../platform/fs/abortable.ts";
import type { Call } from "../call.ts";
import type { App } from "../contract.ts";
import type { PushFilter, PushRequest, SyncApp, SyncReport } from "./contract.ts";

export interface Watching {
  readonly push: SyncApp["push"];
  readonly watch: App["watch"];
  /** In milliseconds, from whatever beginning. */
  now?(): number;
}

/** A hub that is away is asked again with the next change, or after this long. */
const AGAIN_MS = 60_000;
/** After so long, or when it was away, a hub is asked again whether it has all that it acknowledged. */
const COMPARED_MS = 3_600_000;

export async function watchAndPush(
  { push, watch, now = () => performance.now() }: Watching,
  { onPush, ...filter }: PushFilter & { readonly onPush: (report: SyncReport) => void },
  call: Call,
): Promise<void> {
  const { signal } = call;
  let isWaiting = true;
  let isUnsent = false;
  let comparedAt: number | undefined;
  let wake = (): void => undefined;
  const changed = (): void => {
    isWaiting = true;
    wake();
  };
  signal?.addEventListener("abort", changed, { once: true });
  const watching = await watch(
    {
      onRefresh({ sessions: { added, changed: grown, vanished } }) {
        if ([...added, ...grown, ...vanished].map(formatKey).length > 0) changed();
      },
    },
    call,
  );
  let hasEnded = false;
  void watching.ended.finally(() => {
    hasEnded = true;
    changed();
  });
  try {
    while (!signal?.aborted && !hasEnded) {
      if (isWaiting) {
        isWaiting = false;
        const isRecent = comparedAt !== undefined && now() - comparedAt < COMPARED_MS;
        const trustsRecords: boolean = isRecent && !isUnsent;
        if (!trustsRecords) comparedAt = now();
        isUnsent = !(await pushOnce(push, { ...filter, trustsRecords }, call, onPush));
      }
      if (isWaiting || signal?.aborted) continue;
      await new Promise<void>((resolve) => {
        const timer = isUnsent ? setTimeout(changed, AGAIN_MS) : undefined;
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
        // It may have been aborted meanwhile.
        if (signal?.aborted || isWaiting) wake();
      });
    }
  } finally {
    await watching.close();
  }
}

/** False where the hub was not reached, which passes. */
async function pushOnce(
  push: SyncApp["push"],
  request: PushRequest,
  call: Call,
  onPush: (report: SyncReport) => void,
): Promise<boolean> {
  try {
    const report = await push(request, call);
    const { created, updated, failed, vanished, deleted, takenBack } = report;
    if (created + updated + failed + vanished + deleted + takenBack > 0) onPush(report);
    return report.failed === 0;
  } catch (error) {
    if (isAborted(error)) return true;
    if (!isPassing(error)) throw error;
    call.onNotice?.(`${(error as Error).message}; trying again later`);
    return false;
  }
}

const isPassing = (error: unknown): boolean =>
  error instanceof AppError && ["hub-unreachable", "write-busy", "store-busy"].includes(error.code);
