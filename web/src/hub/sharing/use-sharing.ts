/** What one shares, who would see it, and the changes to that. */
import { useMutation, useQuery } from "@tanstack/react-query";
import type { HubShare, HubShareRequest } from "../../../../src/client/hub-types.ts";
import { queryClient } from "../../lib/api.ts";
import { describe } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.ts";
import { hubApi, hubKeys } from "../api.ts";

export const useShares = () =>
  useQuery({ queryKey: hubKeys.shares, queryFn: ({ signal }) => hubApi.shares({ signal }) });

export const usePeople = () =>
  useQuery({ queryKey: hubKeys.people, queryFn: ({ signal }) => hubApi.people({ signal }) });

/** What lists and sessions say of sharing is asked again. */
const refresh = (): Promise<void> => queryClient.invalidateQueries();

export function useShare(onDone: () => void) {
  return useMutation({
    mutationFn: (request: HubShareRequest) => hubApi.share(request),
    onSuccess: async (_, { team }) => {
      onDone();
      toast({ text: `Shared with ${team}` });
      await refresh();
    },
  });
}

export function useUnshare(onDone: () => void) {
  return useMutation({
    mutationFn: ({ id }: Pick<HubShare, "id">) => hubApi.unshare(id),
    onSuccess: async () => {
      onDone();
      toast({ text: "No longer shared: it is private again" });
      await refresh();
    },
  });
}

export const failureText = (error: Error | null): string | undefined =>
  error ? `${describe(error).message}.` : undefined;
