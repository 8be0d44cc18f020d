/** Remembers what was read of the last few sessions for a minute: who drags a handle asks again and again. */
import type { Artifact, Fingerprint } from "../../model/session/session.ts";
import { formatKey } from "../../model/values/id.ts";

/** Since it was last asked for. */
const LIFETIME_MS = 60_000;
const MOST = 4;
/** Of all of them, as far as their sizes are known; one that is larger is not remembered at all. */
const MOST_BYTES = 256 << 20;

export interface Remembered<T> {
  /** What is known of this session, unless it has changed since. */
  get(artifact: Artifact): T | undefined;
  /** The session of this key, as it was when it was last asked for. */
  artifactOf(key: string): Artifact | undefined;
  set(artifact: Artifact, value: T): void;
  /** To be called once its size is known. */
  weigh(artifact: Artifact, bytes: number): void;
  drop(artifact: Artifact): void;
}

interface Entry<T> {
  readonly artifact: Artifact;
  readonly value: T;
  bytes: number;
  timer: NodeJS.Timeout;
}

export function createRemembered<T>(): Remembered<T> {
  /** The one that was asked for last is the last. */
  const entries = new Map<string, Entry<T>>();
  const forget = (key: string): void => {
    clearTimeout(entries.get(key)?.timer);
    entries.delete(key);
  };
  /** It keeps no process alive. */
  const expire = (key: string): NodeJS.Timeout => setTimeout(() => forget(key), LIFETIME_MS).unref();
  const forgetOldest = (): void => {
    const bytes = (): number => [...entries.values()].reduce((sum, each) => sum + each.bytes, 0);
    for (const key of [...entries.keys()]) if (entries.size > MOST || bytes() > MOST_BYTES) forget(key);
  };
  const find = (artifact: Artifact): Entry<T> | undefined => {
    const entry = entries.get(formatKey(artifact));
    return entry && isSame(entry.artifact, artifact) ? entry : undefined;
  };
  return {
    artifactOf: (key) => entries.get(key)?.artifact,
    get(artifact) {
      const entry = find(artifact);
      if (!entry) return undefined;
      const key = formatKey(artifact);
      forget(key);
      entries.set(key, { ...entry, timer: expire(key) });
      return entry.value;
    },
    set(artifact, value) {
      const key = formatKey(artifact);
      forget(key);
      entries.set(key, { artifact, value, bytes: 0, timer: expire(key) });
      forgetOldest();
    },
    weigh(artifact, bytes) {
      const entry = find(artifact);
      if (entry) entry.bytes = bytes;
      forgetOldest();
    },
    drop(artifact) {
      if (find(artifact)) forget(formatKey(artifact));
    },
  };
}

const isSame = (a: Artifact, b: Artifact): boolean =>
  a.path === b.path && isSamePrint(a.fingerprint, b.fingerprint);

export const isSamePrint = (a: Fingerprint, b: Fingerprint): boolean =>
  a.size === b.size && a.mtimeMs === b.mtimeMs && a.ino === b.ino;
