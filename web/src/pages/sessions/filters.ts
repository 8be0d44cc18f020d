/** The filters that are set, in words, and how each one is changed. */
import { sourceOf } from "../../lib/sources.ts";
import { line } from "../../lib/titles.ts";
import type { Filters } from "../../router.tsx";
import type { Facets } from "./session-query.ts";

/** What the search page narrows by, beside what a list does. */
export interface MoreFilters {
  readonly role?: string;
  readonly file?: string;
  readonly tool?: string;
}
type All = Filters & MoreFilters;

/** Each is a new address; `undefined` removes a filter. */
export type Narrow = (filters: { readonly [K in keyof All]?: All[K] | undefined }) => void;

/** A search has no numbers of problems and copies. */
export type SomeFacets = Pick<Facets, "source" | "repository" | "branch" | "model"> & Partial<Facets>;

export type FacetName = "person" | "team" | "source" | "tag" | "repo" | "branch" | "model" | "workspace";

interface Facet {
  readonly name: FacetName;
  readonly label: string;
  readonly values: (facets: SomeFacets) => readonly { readonly value: string; readonly count: number }[];
  readonly show: (value: string) => string;
}

/** The last parts of a path tell folders apart. */
export const folderName = (path: string): string =>
  path
    .split(/[/\\]/)
    .filter((part) => part !== "")
    .slice(-2)
    .join("/") || path;

export const FACETS: readonly Facet[] = [
  { name: "person", label: "Person", values: ({ people }) => people ?? [], show: line },
  { name: "team", label: "Shared with", values: ({ teams }) => teams ?? [], show: line },
  {
    name: "source",
    label: "Source",
    values: ({ source }) => source,
    show: (value) => sourceOf(value).short,
  },
  { name: "tag", label: "Tag", values: ({ tag }) => tag ?? [], show: line },
  { name: "repo", label: "Repository", values: ({ repository }) => repository, show: line },
  { name: "branch", label: "Branch", values: ({ branch }) => branch, show: line },
  { name: "model", label: "Model", values: ({ model }) => model, show: line },
  {
    name: "workspace",
    label: "Folder",
    values: ({ workspace }) => workspace ?? [],
    show: (value) => line(folderName(value)),
  },
];

/** Several sources or tags at once are separated by commas; of the others, one. */
const SEVERAL: readonly FacetName[] = ["source", "tag"];
export const valuesOf = (filters: Filters, name: FacetName): string[] => {
  const value = filters[name];
  if (value === undefined) return [];
  return SEVERAL.includes(name) ? value.split(",") : [value];
};

export function toggled(filters: Filters, name: FacetName, value: string): string | undefined {
  const before = valuesOf(filters, name);
  if (before.includes(value)) return before.filter((each) => each !== value).join(",") || undefined;
  return SEVERAL.includes(name) ? [...before, value].join(",") : value;
}

export interface Chip {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly without: Parameters<Narrow>[0];
}

/** What narrows the list beside the words that are typed, each with the way to remove it. */
export function chipsOf(filters: All): Chip[] {
  const chips: Chip[] = FACETS.flatMap(({ name, label, show }) =>
    valuesOf(filters, name).map((value) => ({
      id: `${name} ${value}`,
      label,
      value: show(value),
      without: { [name]: toggled(filters, name, value) },
    })),
  );
  if (filters.file)
    chips.push({ id: "file", label: "File", value: line(filters.file), without: { file: undefined } });
  if (filters.tool)
    chips.push({ id: "tool", label: "Tool", value: line(filters.tool), without: { tool: undefined } });
  if (filters.problems)
    chips.push({ id: "problems", label: "Only", value: "with problems", without: { problems: undefined } });
  if (filters.copies)
    chips.push({ id: "copies", label: "Only", value: "copies", without: { copies: undefined } });
  if (filters.since)
    chips.push({ id: "since", label: "Since", value: dayOf(filters.since), without: { since: undefined } });
  if (filters.until)
    chips.push({ id: "until", label: "Until", value: dayOf(filters.until), without: { until: undefined } });
  return chips;
}

const dayOf = (moment: string): string => moment.slice(0, 10);

/** Everything but the order. */
export const NO_FILTERS: Parameters<Narrow>[0] = {
  q: undefined,
  source: undefined,
  repo: undefined,
  workspace: undefined,
  branch: undefined,
  model: undefined,
  since: undefined,
  until: undefined,
  problems: undefined,
  copies: undefined,
  tag: undefined,
  person: undefined,
  team: undefined,
};

/** A day of the address is the reader's own, and begins at their midnight. */
export const toMoment = (day: string): string =>
  /^\d{4}-\d{2}-\d{2}$/.test(day) ? new Date(`${day}T00:00:00`).toISOString() : day;

/** The day so many days ago, as the address has it. */
export function daysAgo(days: number, now: Date): string {
  const date = new Date(now.getFullYear(), now.getMonth(), now.getDate() - days);
  const two = (part: number): string => String(part).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

export const PERIODS: readonly { readonly label: string; readonly days: number }[] = [
  { label: "Today", days: 0 },
  { label: "Last 7 days", days: 6 },
  { label: "Last 30 days", days: 29 },
  { label: "Last 90 days", days: 89 },
];
