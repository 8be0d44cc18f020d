/** How much of a session another program gets: in its own structures, as text, or not at all. */

export const FIDELITY_KINDS = [
  "prompts",
  "answers",
  "calls",
  "thinking",
  "images",
  "attachments",
  "summaries",
  "reminders",
] as const;
export type FidelityKind = (typeof FIDELITY_KINDS)[number];

export type FidelityCounts = Readonly<Partial<Record<FidelityKind, number>>>;

export interface Fidelity {
  readonly native: FidelityCounts;
  readonly text: FidelityCounts;
  readonly dropped: FidelityCounts;
  /** In words, why something is not native, and what was left out on the way. */
  readonly reasons: readonly string[];
}

export interface FidelityTally {
  count(where: Exclude<keyof Fidelity, "reasons">, kind: FidelityKind, by?: number): void;
  /** Told once, with how often each of the named things occurred. */
  because(reason: string, what?: string): void;
  result(): Fidelity;
}

export function createTally(): FidelityTally {
  const counts = { native: {}, text: {}, dropped: {} } as Record<
    "native" | "text" | "dropped",
    Partial<Record<FidelityKind, number>>
  >;
  const reasons = new Map<string, Map<string, number>>();
  return {
    count(where, kind, by = 1) {
      if (by > 0) counts[where][kind] = (counts[where][kind] ?? 0) + by;
    },
    because(reason, what) {
      const named = reasons.get(reason) ?? new Map<string, number>();
      reasons.set(reason, named);
      if (what !== undefined) named.set(what, (named.get(what) ?? 0) + 1);
    },
    result: () => ({
      ...counts,
      reasons: [...reasons].map(([reason, named]) =>
        named.size === 0 ? reason : `${reason}: ${listed(named)}`,
      ),
    }),
  };
}

const MOST_NAMED = 8;

function listed(named: ReadonlyMap<string, number>): string {
  const all = [...named].sort(([, a], [, b]) => b - a);
  const shown = all.slice(0, MOST_NAMED).map(([name, count]) => (count === 1 ? name : `${name} (${count})`));
  const more = all.length - shown.length;
  return shown.join(", ") + (more > 0 ? ` and ${more} more` : "");
}
