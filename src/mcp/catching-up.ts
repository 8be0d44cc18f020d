/** Brings the store up to date for all calls at once: agents ask several questions side by side. */
import type { App, Call } from "../app/contract.ts";
import { AppError } from "../model/errors.ts";
import { refuseAborted } from "../platform/fs/abortable.ts";

export interface CatchingUp {
  /**
   * Resolves when the store has what was written before this was asked; false where it could not be brought up to date,
   * which the question itself then says. Who takes the question back stops waiting, and the others go on.
   */
  now(call: Call): Promise<boolean>;
  /** Ends what is under way. */
  close(): void;
}

export function createCatchingUp(app: Pick<App, "refresh">): CatchingUp {
  const end = new AbortController();
  const hearing = new Set<NonNullable<Call["onProgress"]>>();
  let running: Promise<boolean> | undefined;
  /** For those who asked while another run had looked already. */
  let next: Promise<boolean> | undefined;
  const run = async (onNotice: Call["onNotice"]): Promise<boolean> => {
    try {
      await app.refresh({
        signal: end.signal,
        onProgress: (progress) => hearing.forEach((hear) => void hear(progress)),
        ...(onNotice && { onNotice }),
      });
      return true;
    } catch (error) {
      if (error instanceof AppError) return false;
      throw error;
    }
  };
  const begin = (onNotice: Call["onNotice"]): Promise<boolean> => {
    const mine = run(onNotice).finally(() => {
      if (running === mine) running = undefined;
    });
    running = mine;
    return mine;
  };
  const start = (onNotice: Call["onNotice"]): Promise<boolean> => {
    if (!running) return begin(onNotice);
    const again = (): Promise<boolean> => {
      next = undefined;
      return begin(onNotice);
    };
    next ??= running.then(again, again);
    return next;
  };
  return {
    async now({ signal, onProgress, onNotice }) {
      refuseAborted(signal);
      if (onProgress) hearing.add(onProgress);
      try {
        return await Promise.race([start(onNotice), aborted(signal)]);
      } finally {
        if (onProgress) hearing.delete(onProgress);
      }
    },
    close: () => end.abort(),
  };
}

/** Never resolves; rejects when the signal says so. */
const aborted = (signal: AbortSignal | undefined): Promise<never> =>
  new Promise((_, reject) => {
    signal?.addEventListener(
      "abort",
      () => reject(new AppError("aborted", "The call was stopped", "Ask again", signal.reason)),
      { once: true },
    );
  });
