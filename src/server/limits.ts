/** How often one may ask, and how guessing a secret is slowed down. */
import { AppError, type ErrorCode } from "../model/errors.ts";

/** The answer says when to ask again. */
export class RetryLater extends AppError {
  readonly retryAfter: number;
  constructor(code: ErrorCode, message: string, retryAfter: number) {
    super(code, message, `Ask again in ${retryAfter} s`);
    this.retryAfter = retryAfter;
  }
}

export class TooMany extends RetryLater {
  constructor(message: string, retryAfter: number) {
    super("too-many-requests", message, retryAfter);
  }
}

export interface Limits {
  /** Throws when there were too many requests of that kind lately. */
  request(kind: "known" | "unknown"): void;
  /** Counts a wrong secret, and throws when there were several: guessing is slow, while the right secret is never kept waiting. */
  wrongSecret(): void;
}

/** Pages ask for what comes into view, which is a lot at once. Who has no secret needs only files. */
const BUCKETS = { known: { most: 2000, perSecond: 400 }, unknown: { most: 300, perSecond: 50 } };
/** A few mistakes are nobody's attack. */
const FREE_MISTAKES = 5;
const LONGEST_WAIT_S = 60;
/** Without another mistake for so long, they are forgotten. */
const FORGOTTEN_MS = 60_000;

/** `clock` counts milliseconds that pass, whatever the time of day is set to. */
export function createLimits(clock: () => number = () => performance.now()): Limits {
  const buckets = {
    known: { left: BUCKETS.known.most, at: clock() },
    unknown: { left: BUCKETS.unknown.most, at: clock() },
  };
  let mistakes = 0;
  let lastMistake = 0;
  return {
    request(kind) {
      const bucket = buckets[kind];
      const { most, perSecond } = BUCKETS[kind];
      const now = clock();
      bucket.left = Math.min(most, bucket.left + ((now - bucket.at) / 1000) * perSecond);
      bucket.at = now;
      if (bucket.left < 1) throw new TooMany("There were too many requests in a short time", 1);
      bucket.left--;
    },
    wrongSecret() {
      const now = clock();
      if (now - lastMistake > FORGOTTEN_MS) mistakes = 0;
      lastMistake = now;
      mistakes++;
      const over = mistakes - FREE_MISTAKES;
      if (over > 0)
        throw new TooMany(
          "There were too many wrong tokens",
          Math.min(LONGEST_WAIT_S, 2 ** Math.min(over - 1, 6)),
        );
    },
  };
}
