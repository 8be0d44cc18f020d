/** What can be done from everywhere and has no key of its own. */
import { type ChangeKind, openChange } from "../change/change.ts";
import { api } from "../lib/api.ts";
import { setTheme } from "../lib/theme.ts";
import { describe } from "../ui/states.tsx";
import { toast } from "../ui/toasts.tsx";
import type { Action } from "./entries.ts";

const group = "Everywhere";

export const EVERYWHERE: readonly (Action & { readonly change?: ChangeKind })[] = [
  {
    label: "Import sessions",
    group,
    change: "import",
    run: () => openChange({ kind: "import", sessions: [] }),
  },
  { label: "Look for new sessions now", group: "Index", run: () => void startIndex() },
  { label: "Use the light theme", group, run: () => setTheme("light") },
  { label: "Use the dark theme", group, run: () => setTheme("dark") },
  { label: "Use the theme of the system", group, run: () => setTheme("system") },
];

async function startIndex(): Promise<void> {
  try {
    await api.startIndex();
    toast({ text: "Looking for new and changed sessions" });
  } catch (error) {
    toast({ text: describe(error).message, isError: true });
  }
}
