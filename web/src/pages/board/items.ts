/** The items of the board as the view needs them: their names in addresses, filtered, and in groups. Pure. */
import type { Answer } from "../../../../src/client/index.ts";
import { isOwn } from "../../../../src/model/board/item.ts";

export type Item = Answer<"board-list">["items"][number];
export type Proposal = Answer<"board-consolidate">["proposals"][number];

/** As it stands in an address. Nobody takes it apart, so that anything may be in it. */
export const keyOf = (item: Item): string =>
  [item.repository, item.branch, item.name, ...(isOwn(item) ? [] : [item.keptBy, item.source])].join(" ");

export interface BoardFilter {
  readonly q?: string | undefined;
  readonly repo?: string | undefined;
  readonly branch?: string | undefined;
}

/** Every word occurs in what the item says or is about. */
export function filterItems(items: readonly Item[], { q = "", repo, branch }: BoardFilter): Item[] {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  return items.filter((item) => {
    if (repo !== undefined && item.repository !== repo) return false;
    if (branch !== undefined && item.branch !== branch) return false;
    const text =
      `${item.name}\n${item.description}\n${item.content}\n${item.repository}\n${item.branch}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

export interface BoardGroup {
  readonly repository: string;
  readonly branch: string;
  readonly items: readonly Item[];
}

/** One board each, in the order of the list. */
export const groupsOf = (items: readonly Item[]): BoardGroup[] =>
  [...Map.groupBy(items, ({ repository, branch }) => `${repository} ${branch}`).values()].map((group) => ({
    repository: group[0]?.repository ?? "",
    branch: group[0]?.branch ?? "",
    items: group,
  }));

/** Each once, in the order of the list. */
export const distinct = (texts: readonly string[]): string[] => [...new Set(texts)];
