/** The items of all boards, and what can be done with them: each change is told with the way to undo it. */
import { useMutation, useQuery } from "@tanstack/react-query";
import type { Input } from "../../../../src/client/index.ts";
import { plural } from "../../../../src/present/text/measure.ts";
import { api, keys, queryClient } from "../../lib/api.ts";
import { describe } from "../../ui/states.tsx";
import { toast } from "../../ui/toasts.tsx";
import type { Item } from "./items.ts";

export function useBoard() {
  return useQuery({ queryKey: keys.board, queryFn: ({ signal }) => api.board({ all: true }, { signal }) });
}

/** Nothing can be changed where the server only reads. */
export function useReadOnly(): boolean {
  const { data } = useQuery({ queryKey: ["health"], queryFn: ({ signal }) => api.health({ signal }) });
  return data?.isReadOnly === true;
}

const refresh = async (): Promise<void> => {
  await queryClient.invalidateQueries({ queryKey: keys.board });
  void queryClient.invalidateQueries({ queryKey: keys.history });
};

const complain = (error: unknown): void => toast({ text: describe(error).message, isError: true });

/** Says what was done, once the list shows it. */
export async function tellDone(text: string, operation: string | null): Promise<void> {
  await refresh();
  toast({
    text,
    ...(operation !== null && { action: { label: "Undo", run: () => void undoChange(operation) } }),
  });
}

export async function undoChange(operation: string): Promise<void> {
  try {
    const { items } = await api.undoBoard(operation);
    await refresh();
    toast({ text: `Undone: ${items.map(({ name }) => name).join(", ")}` });
  } catch (error) {
    complain(error);
  }
}

/** What a request needs to name an item as it is on the page. */
export const toNamed = ({ repository, branch, name, updatedAt }: Item) => ({
  repository,
  branch,
  name,
  ...(updatedAt !== null && { updatedAt }),
});

export function useRemove() {
  return useMutation({
    mutationFn: (items: readonly Item[]) => api.pruneBoard({ items: items.map(toNamed) }),
    onSuccess: ({ removed, operation }) =>
      tellDone(
        removed.length === 1
          ? `Removed ${removed[0]?.name}`
          : `Removed ${plural(removed.length, "item", "items")}`,
        operation,
      ),
    onError: complain,
  });
}

/** Counted, and nothing else: who only reads is not told that it failed. */
export const countRead = ({ repository, branch, name, source }: Item): void =>
  void api.getBoardItem({ repository, branch, name, source }).catch(() => undefined);

export type NewItem = Input<"board-add">;
export type EditedItem = Input<"board-edit">;
