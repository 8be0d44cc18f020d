/** Gives memory back once nothing is asked for: a server that lives for weeks does nothing most of the time. */

export interface Resting {
  /** While it is under way, and shortly after, nobody rests. */
  during<T>(work: () => Promise<T> | T): Promise<T>;
  stop(): void;
}

export interface RestingParts {
  /** What is held now, in bytes. */
  held(): number;
  /** Gives back what is not needed. */
  release(): void;
  /** Milliseconds that pass, whatever the time of day is set to. */
  clock(): number;
}

/** How often it looks; and so long after the last answer somebody who reads a page may ask again. */
const LOOK_MS = 2000;
const QUIET_MS = 3000;
/** Less than this is not worth the time that it takes to give it back. */
const WORTH_BYTES = 8 << 20;
/** What was asked for is forgotten after a minute, and given back then. */
const FORGOTTEN_MS = 90_000;

export function startResting({ held, release, clock }: RestingParts): Resting {
  let underWay = 0;
  let lastAt = clock();
  let restedAt = Number.NEGATIVE_INFINITY;
  let afterwards = 0;
  const look = (): void => {
    const now = clock();
    if (underWay > 0 || now - lastAt < QUIET_MS) return;
    const isForgotten = restedAt < lastAt + FORGOTTEN_MS && now >= lastAt + FORGOTTEN_MS;
    if (!isForgotten && held() - afterwards < WORTH_BYTES) return;
    release();
    restedAt = now;
    afterwards = held();
  };
  const timer = setInterval(look, LOOK_MS).unref();
  return {
    async during(work) {
      underWay++;
      try {
        return await work();
      } finally {
        underWay--;
        lastAt = clock();
      }
    },
    stop: () => clearInterval(timer),
  };
}
