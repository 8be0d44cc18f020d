/** How many of some sessions have each tag, and what must change so that all or none of them have it. */
import type { TagChange } from "./tagging.ts";

/** By tag. */
export type Had = ReadonlyMap<string, number>;

export function hadOf(sessions: readonly { readonly tags: readonly string[] }[]): Had {
  const had = new Map<string, number>();
  for (const { tags } of sessions) for (const tag of tags) had.set(tag, (had.get(tag) ?? 0) + 1);
  return had;
}

/** Without what is so already. */
export function changeOf(had: Had, of: number, wanted: ReadonlyMap<string, boolean>): TagChange {
  const tags = (isOn: boolean, isSo: (count: number) => boolean): string[] =>
    [...wanted].filter(([tag, want]) => want === isOn && !isSo(had.get(tag) ?? 0)).map(([tag]) => tag);
  return { add: tags(true, (count) => count === of), remove: tags(false, (count) => count === 0) };
}
