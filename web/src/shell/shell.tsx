/** The frame around every view: the rail, banners, and what any view may open. */
import { Tooltip } from "@base-ui/react/tooltip";
import { Outlet, useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useEffect } from "react";
import { change } from "../change/change.ts";
import { copilotIndexOpen } from "../change/copilot-index-state.ts";
import { listenForKeys, useShortcuts } from "../keys/keys.ts";
import { useStore } from "../lib/store.ts";
import { startLive } from "../live/live.ts";
import { part, watchParts } from "../live/version.ts";
import { keysOpen, paletteOpen } from "../palette/palette-state.ts";
import { tagging } from "../tags/tagging.ts";
import { Toasts } from "../ui/toasts.tsx";
import { useSteady } from "../ui/use-steady.ts";
import { Banners } from "./banners.tsx";
import { PLACES } from "./places.ts";
import { Rail } from "./rail.tsx";
import css from "./shell.module.css";

const ChangeDialog = lazy(async () => ({
  default: (await part(() => import("../change/change-dialog.tsx"))).ChangeDialog,
}));
const Palette = lazy(async () => ({ default: (await part(() => import("../palette/palette.tsx"))).Palette }));
const TagDialog = lazy(async () => ({
  default: (await part(() => import("../tags/tag-dialog.tsx"))).TagDialog,
}));
const CopilotIndexDialog = lazy(async () => ({
  default: (await part(() => import("../change/copilot-index.tsx"))).CopilotIndexDialog,
}));
const KeysDialog = lazy(async () => ({
  default: (await part(() => import("../palette/keys-dialog.tsx"))).KeysDialog,
}));

export function Shell() {
  const navigate = useNavigate();
  const isPaletteOpen = useStore(paletteOpen);
  const areKeysOpen = useStore(keysOpen);
  const changing = useStore(change);
  const steady = useSteady();
  const tagged = useStore(tagging);
  const isCopilotIndexOpen = useStore(copilotIndexOpen);
  useEffect(startLive, []);
  useEffect(watchParts, []);
  useEffect(listenForKeys, []);
  useShortcuts([
    {
      keys: "mod+k",
      label: "Find any session or action",
      group: "Everywhere",
      inFields: true,
      isKeyOnly: true,
      run: () => paletteOpen.set(true),
    },
    { keys: "?", label: "Show all keys", group: "Everywhere", run: () => keysOpen.set(true) },
    {
      keys: "/",
      label: "Search",
      group: "Everywhere",
      run: () => focusSearch() || void navigate({ to: "/search" }),
    },
    ...PLACES.map(({ to, label, keys }) => ({
      keys,
      label: `Go to ${label}`,
      group: "Go to",
      run: () => void navigate({ to }),
    })),
  ]);
  return (
    <Tooltip.Provider delay={400}>
      <a className={css.skip} href="#main">
        Skip to the content
      </a>
      <div className={css.shell}>
        <Rail />
        <div className={css.column} {...steady}>
          <Banners />
          <main id="main" className={css.main} tabIndex={-1}>
            <Outlet />
          </main>
        </div>
      </div>
      <Toasts />
      <Suspense>
        {changing && <ChangeDialog request={changing} />}
        {tagged && <TagDialog sessions={tagged} />}
        {isCopilotIndexOpen && <CopilotIndexDialog />}
        {isPaletteOpen && <Palette />}
        {areKeysOpen && <KeysDialog />}
      </Suspense>
    </Tooltip.Provider>
  );
}

/** A view with a search field of its own marks it; false where there is none. */
function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>("input[data-search]");
  field?.focus();
  field?.select();
  return field !== null;
}
