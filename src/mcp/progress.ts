/** Progress for a client: one number that only ever grows, over all parts of a call, and not too often. */
import type { CallProgress } from "../app/contract.ts";

export interface SentProgress {
  readonly progress: number;
  readonly total?: number;
}

/** A hundredth of a part is as fine as anybody looks. */
const STEPS = 100;

/** A call reads and indexes one thing after the other; each begins to count anew. */
export function createProgress(send: (progress: SentProgress) => void): (progress: CallProgress) => void {
  let before = 0;
  let last = { done: 0, total: 0 };
  let sent = -1;
  return ({ done, total }) => {
    if (done < last.done || total !== last.total) before += last.done;
    last = { done, total };
    const progress = before + done;
    const isWorthIt = done >= total || progress - sent >= total / STEPS;
    if (progress <= sent || !isWorthIt) return;
    sent = progress;
    send({ progress, total: before + total });
  };
}
