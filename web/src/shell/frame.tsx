/** The frame around every view, whoever serves it: places on the rail, their keys, the palette, short messages. */
import { Tooltip } from "@base-ui/react/tooltip";
import { Outlet, useNavigate } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense, useEffect } from "react";
import { listenForKeys, useShortcuts } from "../keys/keys.ts";
import { useStore } from "../lib/store.ts";
import { part, watchParts } from "../live/version.ts";
import type { Action } from "../palette/entries.ts";
import { keysOpen, paletteOpen } from "../palette/palette-state.ts";
import { Toasts } from "../ui/toasts.tsx";
import { useSteady } from "../ui/use-steady.ts";
import type { Place } from "./places.ts";
import { Rail } from "./rail.tsx";
import css from "./shell.module.css";

const Palette = lazy(async () => ({ default: (await part(() => import("../palette/palette.tsx"))).Palette }));
const KeysDialog = lazy(async () => ({
  default: (await part(() => import("../palette/keys-dialog.tsx"))).KeysDialog,
}));

export function Frame({
  places,
  wrong = 0,
  top,
  notices,
  useActions,
  children,
}: {
  readonly places: readonly Place[];
  /** How many problems the doctor knows. */
  readonly wrong?: number;
  /** Above all views. */
  readonly top?: ReactNode;
  readonly notices: ReactNode;
  /** What the palette offers from everywhere. */
  readonly useActions: () => readonly Action[];
  /** Dialogs that any view may open. */
  readonly children?: ReactNode;
}) {
  const navigate = useNavigate();
  const isPaletteOpen = useStore(paletteOpen);
  const areKeysOpen = useStore(keysOpen);
  const steady = useSteady();
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
    ...places.map(({ to, label, keys }) => ({
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
        <Rail places={places} wrong={wrong} />
        <div className={css.column} {...steady}>
          {top}
          {notices}
          <main id="main" className={css.main} tabIndex={-1}>
            <Outlet />
          </main>
        </div>
      </div>
      <Toasts />
      <Suspense>
        {children}
        {isPaletteOpen && <Palette useActions={useActions} />}
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
