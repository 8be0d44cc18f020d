/** What can be done from everywhere and has no key of its own. */
import { useMemo } from "react";
import { type ChangeKind, openChange } from "../change/change.ts";
import { unlessRefused, useRefusals } from "../change/refusals.ts";
import { api } from "../lib/api.ts";
import { setTheme } from "../lib/theme.ts";
import { describe } from "../ui/states.tsx";
import { toast } from "../ui/toasts.tsx";
import type { Action } from "./entries.ts";

const group = "Everywhere";

const LOCAL: readonly (Action & { readonly change?: ChangeKind })[] = [
  {
    label: "Import sessions",
    group,
    change: "import",
    run: () => openChange({ kind: "import", sessions: [] }),
  },
  { label: "Look for new sessions now", group: "Index", run: () => void startIndex() },
];

/** Wherever the pages come from. */
export const THEMES: readonly Action[] = [
  { label: "Use the light theme", group, run: () => setTheme("light") },
  { label: "Use the dark theme", group, run: () => setTheme("dark") },
  { label: "Use the theme of the system", group, run: () => setTheme("system") },
];

export function useLocalActions(): readonly Action[] {
  const refuse = useRefusals();
  return useMemo(
    () => [
      ...LOCAL.map((each) => unlessRefused({ ...each, refusal: each.change && refuse(each.change, []) })),
      ...THEMES,
    ],
    [refuse],
  );
}

async function startIndex(): Promise<void> {
  try {
    await api.startIndex();
    toast({ text: "Looking for new and changed sessions" });
  } catch (error) {
    toast({ text: describe(error).message, isError: true });
  }
}
