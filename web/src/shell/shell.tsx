/** The frame of the pages of this machine's own server: live, with the dialogs of every change. */
import { useQuery } from "@tanstack/react-query";
import { lazy, useEffect } from "react";
import { change } from "../change/change.ts";
import { copilotIndexOpen } from "../change/copilot-index-state.ts";
import { api, keys, notSignedIn } from "../lib/api.ts";
import { useStore } from "../lib/store.ts";
import { startLive } from "../live/live.ts";
import { part } from "../live/version.ts";
import { useLocalActions } from "../palette/actions.ts";
import { tagging } from "../tags/tagging.ts";
import { Banners } from "./banners.tsx";
import { Frame } from "./frame.tsx";
import { PLACES } from "./places.ts";
import { SignedOut } from "./signed-out.tsx";

const ChangeDialog = lazy(async () => ({
  default: (await part(() => import("../change/change-dialog.tsx"))).ChangeDialog,
}));
const TagDialog = lazy(async () => ({
  default: (await part(() => import("../tags/tag-dialog.tsx"))).TagDialog,
}));
const CopilotIndexDialog = lazy(async () => ({
  default: (await part(() => import("../change/copilot-index.tsx"))).CopilotIndexDialog,
}));

export function Shell() {
  const changing = useStore(change);
  const tagged = useStore(tagging);
  const isCopilotIndexOpen = useStore(copilotIndexOpen);
  useEffect(startLive, []);
  const { data } = useQuery({ queryKey: keys.index, queryFn: ({ signal }) => api.index({ signal }) });
  const refused = useStore(notSignedIn);
  if (refused) return <SignedOut error={refused} />;
  return (
    <Frame places={PLACES} wrong={data?.problemCount ?? 0} notices={<Banners />} useActions={useLocalActions}>
      {changing && <ChangeDialog request={changing} />}
      {tagged && <TagDialog sessions={tagged} />}
      {isCopilotIndexOpen && <CopilotIndexDialog />}
    </Frame>
  );
}
