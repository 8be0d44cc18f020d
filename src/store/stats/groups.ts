/** Brings the spellings of a name together, and counts the sessions of each. */

export interface Group<Sums> {
  readonly key: string;
  readonly sessions: number;
  /** In the order of their names. */
  readonly spellings: readonly Spelling<Sums>[];
}

export interface Spelling<Sums> {
  readonly name: string;
  readonly sums: Sums;
}

export interface Groups<Sums> {
  /** Counts a session for a name, and gives the sums of that spelling. To be asked for one session after the other. */
  of(session: number): (name: string) => Sums;
  all(): Group<Sums>[];
}

export function createGroups<Sums>(toKey: (name: string) => string, create: () => Sums): Groups<Sums> {
  interface Growing {
    readonly key: string;
    sessions: number;
    /** The session that it counted last. */
    last: number;
    readonly spellings: Spelling<Sums>[];
  }
  const groups = new Map<string, Growing>();
  const known = new Map<string, { readonly group: Growing; readonly sums: Sums }>();
  const start = (name: string) => {
    const key = toKey(name);
    const group = groups.get(key) ?? { key, sessions: 0, last: -1, spellings: [] };
    groups.set(key, group);
    const sums = create();
    group.spellings.push({ name, sums });
    return { group, sums };
  };
  return {
    of: (session) => (name) => {
      const found = known.get(name) ?? start(name);
      known.set(name, found);
      if (found.group.last !== session) found.group.sessions++;
      found.group.last = session;
      return found.sums;
    },
    all: () =>
      [...groups.values()].map(({ key, sessions, spellings }) => ({
        ...{ key, sessions },
        spellings: spellings.sort((a, b) => (a.name < b.name ? -1 : 1)),
      })),
  };
}

/** The sum of one number over all spellings. */
export const total = <Sums extends Record<Name, number>, Name extends string>(
  { spellings }: Group<Sums>,
  name: Name,
): number => spellings.reduce((sum, { sums }) => sum + sums[name], 0);
