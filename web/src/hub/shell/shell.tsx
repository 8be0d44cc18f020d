/** The frame of a hub's pages: which hub it is, who is signed in, and only the views that this person has. */
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { Failure } from "../../change/failure.tsx";
import { ApiError } from "../../lib/api.ts";
import { THEMES } from "../../palette/actions.ts";
import type { Action } from "../../palette/entries.ts";
import { Notices } from "../../shell/banners.tsx";
import { Frame } from "../../shell/frame.tsx";
import { AccountContext, isAdmin, signOut } from "../account.ts";
import { hubApi, hubKeys } from "../api.ts";
import { startPresence } from "../presence.ts";
import { SignIn } from "../sign-in/sign-in.tsx";
import { ADMIN_PLACES, HUB_PLACES } from "./places.ts";
import { TopBar } from "./top-bar.tsx";

const ACTIONS: readonly Action[] = [
  ...THEMES,
  { label: "Sign out", group: "Everywhere", run: () => void signOut() },
];
const useActions = (): readonly Action[] => ACTIONS;

export function HubShell() {
  useEffect(startPresence, []);
  const { data, error, isPending, refetch } = useQuery({
    queryKey: hubKeys.me,
    queryFn: async ({ signal }) => {
      try {
        return await hubApi.me({ signal });
      } catch (failure) {
        if (failure instanceof ApiError && failure.status === 401) return null;
        throw failure;
      }
    },
  });
  if (isPending) return <div aria-busy="true" />;
  if (data === undefined)
    return (
      <main>
        <Failure error={error} retry={() => void refetch()} />
      </main>
    );
  if (data === null) return <SignIn />;
  return (
    <AccountContext value={data}>
      <Frame
        places={isAdmin(data) ? [...HUB_PLACES, ...ADMIN_PLACES] : HUB_PLACES}
        top={<TopBar />}
        notices={
          <Notices
            lost={
              <>
                The hub does not answer. What is shown stays, and this page tries again by itself until it
                does.
              </>
            }
          />
        }
        useActions={useActions}
      />
    </AccountContext>
  );
}
