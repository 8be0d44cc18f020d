/**
 * Keeps plans until they are applied. A surface only names a plan by its fingerprint, so what is written is exactly
 * what was shown, once, and no plan comes from outside.
 */
import { hash, randomUUID } from "node:crypto";
import { AppError } from "../../model/errors.ts";
import type { EditPlan } from "../../model/plan.ts";

/** What a caller needs to have a plan carried out. */
export interface Ticket {
  readonly fingerprint: string;
  /** Until then it can be carried out (ISO 8601). */
  readonly expiresAt: string;
}

export type KeptPlan = EditPlan & Ticket;

/** What the write of a plan will be called: whoever records it first finds it again, even after a crash. */
export const operationOf = (fingerprint: string): string => fingerprint.slice(0, 8);

export interface KeptPlans<T> {
  /** `release` is called when the plan is no longer needed. */
  keep(plan: T, release: () => void): Ticket;
  /** The plan, which stays. */
  look(fingerprint: string): T;
  /** Gives a plan out once. The caller releases it. */
  take(fingerprint: string): { readonly value: T; release(): void };
  /** Forgets a plan that will not be applied. */
  drop(fingerprint: string): void;
  /** When the last one expires; nothing where none is kept. */
  until(): Date | undefined;
}

const LIFETIME_MS = 30 * 60_000;
/** The oldest go first: a client that only ever asks for plans must not fill the memory. */
const MOST = 200;

export function createKeptPlans<T>(now: () => Date): KeptPlans<T> {
  const kept = new Map<string, { value: T; release(): void; expires: number }>();
  const drop = (fingerprint: string): void => {
    kept.get(fingerprint)?.release();
    kept.delete(fingerprint);
  };
  const dropExpired = (): void => {
    for (const [fingerprint, { expires }] of kept) if (expires <= now().getTime()) drop(fingerprint);
  };
  const find = (fingerprint: string) => {
    dropExpired();
    const found = kept.get(fingerprint);
    if (found) return found;
    throw new AppError(
      "plan-not-found",
      `No plan has the fingerprint "${fingerprint}"`,
      "A plan can be applied once, within 30 minutes; make a new plan",
    );
  };
  return {
    keep(value, release) {
      dropExpired();
      for (const oldest of [...kept.keys()].slice(0, Math.max(0, kept.size + 1 - MOST))) drop(oldest);
      const expires = now().getTime() + LIFETIME_MS;
      // Two plans may be equal to the byte, and each is carried out once; so a random part is hashed, too.
      const fingerprint = hash("sha256", `${randomUUID()} ${JSON.stringify(value)}`).slice(0, 32);
      kept.set(fingerprint, { value, release, expires });
      return { fingerprint, expiresAt: new Date(expires).toISOString() };
    },
    look: (fingerprint) => find(fingerprint).value,
    take(fingerprint) {
      const found = find(fingerprint);
      kept.delete(fingerprint);
      return found;
    },
    drop,
    until() {
      dropExpired();
      const last = Math.max(...[...kept.values()].map(({ expires }) => expires));
      return kept.size > 0 ? new Date(last) : undefined;
    },
  };
}
