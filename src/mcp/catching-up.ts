/**
 * Brings the store up to date for all calls at once: agents ask several questions side by side. What there was no time for
 * is read after the answer, a piece at a time.
 */
import type { App, Call } from "../app/contract.ts";
import { saysIncomplete, saysPending } from "../app/store/incomplete.ts";
import { AppError } from "../model/errors.ts";
import { refuseAborted } from "../platform/fs/abortable.ts";

export interface CatchingUp {
  /**
   * Resolves when the store has what was written before this was asked. Who takes the question back stops waiting, and
   * the others go on.
   */
  now(call: Call): Promise<CaughtUp>;
  /** Ends what is under way. */
  close(): void;
}

export interface CaughtUp {
  /** False where the store could not be brought up to date, which the question itself then says. */
  readonly isFresh: boolean;
  /** What an answer lacks all the same, a sentence each. */
  readonly lacks: readonly string[];
}

const AFTER_ANSWER_MS = 100;

export function createCatchingUp(app: Pick<App, "refresh">): CatchingUp {
  const end = new AbortController();
  const hearing = new Set<NonNullable<Call["onProgress"]>>();
  let running: Promise<CaughtUp> | undefined;
  /** For those who asked while another run had looked already. */
  let next: Promise<CaughtUp> | undefined;
  const run = async (onNotice: Call["onNotice"]): Promise<CaughtUp> => {
    const lacks: string[] = [];
    try {
      await app.refresh({
        signal: end.signal,
        onProgress: (progress) => hearing.forEach((hear) => void hear(progress)),
        onNotice(sentence) {
          if (saysIncomplete(sentence)) lacks.push(sentence);
          onNotice?.(sentence);
        },
      });
      return { isFresh: true, lacks };
    } catch (error) {
      if (error instanceof AppError) return { isFresh: false, lacks };
      throw error;
    }
  };
  const begin = (onNotice: Call["onNotice"]): Promise<CaughtUp> => {
    const mine = run(onNotice).finally(() => {
      if (running === mine) running = undefined;
    });
    running = mine;
    void mine.then(readOn, () => undefined);
    return mine;
  };
  const readOn = ({ lacks }: CaughtUp): void => {
    if (!lacks.some(saysPending)) return;
    // Answers are sent first.
    setTimeout(() => {
      if (!running && !end.signal.aborted) begin(undefined).catch(() => undefined);
    }, AFTER_ANSWER_MS).unref();
  };
  const start = (onNotice: Call["onNotice"]): Promise<CaughtUp> => {
    if (!running) return begin(onNotice);
    const again = (): Promise<CaughtUp> => {
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
