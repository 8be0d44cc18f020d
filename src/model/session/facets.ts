/** How many of some sessions have which source, repository, branch, model, workspace and tag. */
import type { Session } from "./session.ts";

export interface FacetValue {
  readonly value: string;
  readonly count: number;
}

export const FACETS = ["source", "repository", "branch", "model", "workspace", "tag"] as const;
export type Facet = (typeof FACETS)[number];

/** Most first, and of each facet the first fifty. Each is counted as if it were not filtered by itself, except tags, of which several are asked for at once. */
export interface SessionFacets extends Readonly<Record<Facet, readonly FacetValue[]>> {
  /** How many have problems. */
  readonly problems: number;
  /** How many are forks or clones. */
  readonly copies: number;
}

export const MOST_VALUES = 50;

const VALUES: Readonly<Record<Facet, (session: Session) => readonly (string | undefined)[]>> = {
  source: ({ source }) => [source],
  repository: ({ repository }) => [repository],
  branch: ({ branch }) => [branch],
  model: ({ models }) => models,
  workspace: ({ workspace }) => [workspace],
  tag: ({ tags = [] }) => tags,
};

export function countValues(facet: Facet, sessions: readonly Session[]): FacetValue[] {
  const counts = new Map<string, number>();
  for (const session of sessions)
    for (const value of VALUES[facet](session))
      if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || compare(a.value, b.value))
    .slice(0, MOST_VALUES);
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Of the kinds of parents, those that make a session a copy. */
export const COPY_KINDS: readonly string[] = ["fork", "clone", "branch"];
