/** The keys of the session page. */
import { useQueryClient } from "@tanstack/react-query";
import { openChange } from "../../change/change.ts";
import { unlessRefused } from "../../change/refusals.ts";
import { type Shortcut, useShortcuts } from "../../keys/keys.ts";
import { api, keys } from "../../lib/api.ts";
import { copyText } from "../../lib/clipboard.ts";
import { openTagging } from "../../tags/tagging.ts";
import { toast } from "../../ui/toasts.tsx";
import { linkTo } from "./conversation/turn-head.tsx";
import type { Reading } from "./reading.ts";

export function useSessionKeys({ key, session, outline, state, refusalOf }: Reading): void {
  const client = useQueryClient();
  const { title } = session;
  const here = (): number => state.current.get();
  const step = (by: number): void => {
    const next = Math.max(0, Math.min(outline.turns.length - 1, here() + by));
    // At once, not when the list has scrolled: who presses the key twice means two turns.
    state.current.set(next);
    state.jump.to(next);
  };

  const undo = async (): Promise<void> => {
    const { writes } = await client.fetchQuery({
      queryKey: keys.history,
      queryFn: ({ signal }) => api.history({ signal }),
    });
    const last = writes.find(({ state: was, undoes }) => was === "done" && undoes === null);
    if (last) openChange({ kind: "undo", sessions: [], input: { operation: last.operation } });
    else toast({ text: "There is nothing to undo" });
  };

  const all: Shortcut[] = [
    { keys: "]", label: "Next turn", group: "Session", isKeyOnly: true, run: () => step(1) },
    { keys: "[", label: "Previous turn", group: "Session", isKeyOnly: true, run: () => step(-1) },
    {
      keys: "f",
      label: "Fork here",
      group: "Session",
      refusal: refusalOf("fork"),
      run: () => openChange({ kind: "fork", sessions: [key], input: { at: here() }, title }),
    },
    {
      keys: "r",
      label: "Rewind to here",
      group: "Session",
      refusal: refusalOf("rewind"),
      run: () => openChange({ kind: "rewind", sessions: [key], input: { to: here() }, title }),
    },
    {
      keys: "c",
      label: "Clone this session",
      group: "Session",
      refusal: refusalOf("clone"),
      run: () => openChange({ kind: "clone", sessions: [key], title }),
    },
    { keys: "t", label: "Tag this session", group: "Session", run: () => openTagging([session]) },
    { keys: "u", label: "Undo the last change", group: "Session", run: () => void undo() },
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
  ];
  useShortcuts(all.map(unlessRefused));
}
