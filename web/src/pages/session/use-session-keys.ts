/** The keys to read a session with. */
import { useShortcuts } from "../../keys/keys.ts";
import { copyText } from "../../lib/clipboard.ts";
import { linkTo } from "./conversation/turn-head.tsx";
import type { Reading } from "./reading.ts";

export function useSessionKeys({ key, outline, state }: Reading): void {
  const here = (): number => state.current.get();
  const step = (by: number): void => {
    const next = Math.max(0, Math.min(outline.turns.length - 1, here() + by));
    // At once, not when the list has scrolled: who presses the key twice means two turns.
    state.current.set(next);
    state.jump.to(next);
  };
  useShortcuts([
    { keys: "]", label: "Next turn", group: "Session", isKeyOnly: true, run: () => step(1) },
    { keys: "[", label: "Previous turn", group: "Session", isKeyOnly: true, run: () => step(-1) },
    {
      keys: "o",
      label: "Open or close all calls of the turn",
      group: "Session",
      run: () => state.jump.toggleTurn(here()),
    },
    {
      keys: "mod+f",
      label: "Find in this session",
      group: "Session",
      run: () => state.isFinding.set(true),
    },
    {
      keys: "y",
      label: "Copy a link to this turn",
      group: "Session",
      run: () => void copyText(linkTo(key, here()), "Link"),
    },
    { keys: "home", label: "First turn", group: "Session", isKeyOnly: true, run: () => state.jump.to(0) },
    { keys: "end", label: "Last turn", group: "Session", isKeyOnly: true, run: () => state.jump.toEnd() },
  ]);
}
