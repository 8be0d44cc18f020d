/** Lets so much in at a time: the others wait in line for a while, and are then asked to come back. */
import { TooMany } from "../limits.ts";

export interface GateOptions {
  /** Of whatever is weighed. */
  readonly most: number;
  /** What one account may have of it, so that none takes it all. */
  readonly mostOfOne: number;
  readonly mostWaiting: number;
  readonly waitMs: number;
  /** Between 0 and 1, so that those who were sent away do not come back at the same moment. */
  random?(): number;
}

export interface Gate {
  during<T>(account: string, weight: number, work: () => Promise<T>): Promise<T>;
}

interface Waiting {
  readonly account: string;
  readonly weight: number;
  enter(): void;
}

/** In seconds. */
const SHORTEST_RETRY = 1;
const LONGEST_RETRY = 5;

export function createGate({
  most,
  mostOfOne,
  mostWaiting,
  waitMs,
  random = Math.random,
}: GateOptions): Gate {
  const held = new Map<string, number>();
  let inside = 0;
  const line: Waiting[] = [];
  const fits = ({ account, weight }: Pick<Waiting, "account" | "weight">): boolean =>
    inside + weight <= most && (held.get(account) ?? 0) + weight <= mostOfOne;
  const take = (account: string, weight: number): void => {
    inside += weight;
    const now = (held.get(account) ?? 0) + weight;
    if (now === 0) held.delete(account);
    else held.set(account, now);
  };
  /** Who is held back by a limit of its own is passed by others; who is held back by the size of all is not. */
  const letIn = (): void => {
    for (let at = 0; at < line.length && inside < most; ) {
      const next = line[at];
      if (!next || (!fits(next) && (held.get(next.account) ?? 0) + next.weight <= mostOfOne)) return;
      if (fits(next)) {
        line.splice(at, 1);
        next.enter();
      } else at++;
    }
  };
  const wait = (account: string, weight: number): Promise<void> =>
    new Promise((resolve, reject) => {
      if (line.length >= mostWaiting) return reject(busy(random()));
      const waiting: Waiting = {
        account,
        weight,
        enter() {
          clearTimeout(timer);
          take(account, weight);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        line.splice(line.indexOf(waiting), 1);
        reject(busy(random()));
      }, waitMs);
      line.push(waiting);
    });
  return {
    async during(account, asked, work) {
      const weight = Math.min(asked, most, mostOfOne);
      if (line.length === 0 && fits({ account, weight })) take(account, weight);
      else await wait(account, weight);
      try {
        return await work();
      } finally {
        take(account, -weight);
        letIn();
      }
    },
  };
}

const busy = (random: number): TooMany =>
  new TooMany(
    "The hub takes as many pushes as it can at this moment",
    Math.ceil(SHORTEST_RETRY + random * (LONGEST_RETRY - SHORTEST_RETRY)),
  );
