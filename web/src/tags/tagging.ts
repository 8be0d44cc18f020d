/** Gives sessions tags and takes them away, for any view; and which sessions the dialog for that is open for. */
import { useQuery } from "@tanstack/react-query";
import type { Answer } from "../../../src/client/types.ts";
import { plural } from "../../../src/present/text/measure.ts";
import { api, keys, queryClient } from "../lib/api.ts";
import { toKey } from "../lib/session-key.ts";
import { createStore } from "../lib/store.ts";
import { describe } from "../ui/states.tsx";
import { toast } from "../ui/toasts.tsx";

export interface Tagged {
  readonly source: string;
  readonly id: string;
  readonly title: string;
  readonly tags: readonly string[];
}

export const tagging = createStore<readonly Tagged[] | undefined>(undefined);

export const openTagging = (sessions: readonly Tagged[]): void => {
  if (sessions.length > 0) tagging.set(sessions);
};

export interface TagChange {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

/** One call takes so many. */
const AT_ONCE = 1000;

/** Throws what the server refuses; the lists follow by the server's events. */
export async function changeTags(
  sessions: readonly Pick<Tagged, "source" | "id">[],
  change: TagChange,
): Promise<void> {
  for (let from = 0; from < sessions.length; from += AT_ONCE) {
    const some = sessions.slice(from, from + AT_ONCE).map(toKey);
    const { sessions: tagged } = await api.tag({
      sessions: some,
      add: [...change.add],
      remove: [...change.remove],
    });
    for (const { source, id, tags } of tagged)
      queryClient.setQueryData<Answer<"outline">>(
        keys.session(toKey({ source, id })),
        (outline) => outline && { ...outline, session: { ...outline.session, tags } },
      );
  }
}

/** The same, with a word about it and a way back. */
export async function changeTagsAndTell(sessions: readonly Tagged[], change: TagChange): Promise<boolean> {
  try {
    await changeTags(sessions, change);
  } catch (error) {
    toast({ text: describe(error).message, isError: true });
    return false;
  }
  const [first] = sessions;
  const what = [
    ...change.add.map((tag) => `“${tag}” added`),
    ...change.remove.map((tag) => `“${tag}” removed`),
  ].join(", ");
  toast({
    text:
      sessions.length === 1 && first
        ? `Tag ${what}`
        : `${plural(sessions.length, "session", "sessions")}: ${what}`,
    action: { label: "Undo", run: () => void undo(sessions, change) },
  });
  return true;
}

/** Each session gets back what it had: one that had the tag before keeps it. */
async function undo(sessions: readonly Tagged[], { add, remove }: TagChange): Promise<void> {
  const groups = Map.groupBy(sessions, ({ tags }) =>
    JSON.stringify({
      add: remove.filter((tag) => tags.includes(tag)),
      remove: add.filter((tag) => !tags.includes(tag)),
    }),
  );
  try {
    for (const [text, some] of groups) {
      const back = JSON.parse(text) as TagChange;
      if (back.add.length + back.remove.length > 0) await changeTags(some, back);
    }
  } catch (error) {
    toast({ text: describe(error).message, isError: true });
  }
}

/** All tags there are, most used first. */
export const useTags = (): readonly string[] =>
  (useQuery({ queryKey: keys.tags, queryFn: ({ signal }) => api.tags({ signal }) }).data?.tags ?? []).map(
    ({ tag }) => tag,
  );
