/**
 * Decides whether a vendor's lock is still held. Process ids are reused, and locks are copied from other machines, so
 * the process must run, be that vendor's program, and be older than its lock. If the system does not say, the lock
 * counts as held, because a write that the program does not notice would be lost.
 */
import { hasOpenIn, type ProcessLook } from "./process-look.ts";
import { isAlive } from "./processes.ts";
import { isRuntime, type ProcessFacts } from "./ps.ts";

export interface LockClaim {
  /** The process that the lock names. */
  readonly pid: number;
  /** What the lock is about. A process that has files open in there is the owner, whatever it is called. */
  readonly folder: string;
  /** When the lock was written, in milliseconds; nothing where that cannot be told. */
  readonly writtenAt?: number | undefined;
  /** A file beside the lock that its owner has locked by the system's own means. */
  readonly hold?: string;
  readonly isProgram: (facts: ProcessFacts) => boolean;
}

export type LockState =
  | "held"
  /** The process has ended. */
  | "ended"
  /** The number belongs to another program now, or always has. */
  | "foreign";

/** A clock that was set meanwhile makes a process look younger or older than it is. */
const MARGIN_MS = 60_000;

export function judgeLock(claim: LockClaim, look: ProcessLook): LockState {
  const { pid, folder, writtenAt, hold, isProgram } = claim;
  if (hold !== undefined && look.isFlocked(hold)) return "held";
  if (!isAlive(pid)) return "ended";
  const facts = look.of(pid);
  if (!facts) return "held";
  const hasOpen = hasOpenIn(look, pid, folder);
  if (hasOpen) return "held";
  if (isProgram(facts)) {
    const isYounger = (facts.startedAt ?? 0) > (writtenAt ?? Number.POSITIVE_INFINITY) + MARGIN_MS;
    // The times alone do not decide: after a machine slept, clocks jump.
    return isYounger && hasOpen === false ? "foreign" : "held";
  }
  // The vendor's code may run inside of any other program for the same runtime, which we may not always look into.
  return hasOpen === undefined && isRuntime(facts) ? "held" : "foreign";
}
