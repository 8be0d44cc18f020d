/** Who is signed in, for all views: they are shown to nobody else. */
import { createContext, useContext } from "react";
import type { HubMe } from "../../../src/client/hub-types.ts";
import { queryClient } from "../lib/api.ts";
import { toast } from "../ui/toast.ts";
import { hubApi, hubKeys } from "./api.ts";

export const AccountContext = createContext<HubMe | undefined>(undefined);

export function useAccount(): HubMe {
  const account = useContext(AccountContext);
  if (!account) throw new Error("Only for those who are signed in");
  return account;
}

export const isAdmin = ({ scopes }: HubMe): boolean => scopes.includes("admin");

/** Nothing of what was read stays in the page. */
export async function signOut(): Promise<void> {
  try {
    await hubApi.signOut();
  } catch {
    toast({ text: "The hub did not answer: close the browser to be signed out for certain", isError: true });
    return;
  }
  forgetAll();
}

/** Also when the hub itself has ended the sign-in. */
export function forgetAll(): void {
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== hubKeys.me[0] });
  queryClient.setQueryData(hubKeys.me, null);
}
