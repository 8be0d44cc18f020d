/** The keys that change a session. */
import { useQueryClient } from "@tanstack/react-query";
import { openChange } from "../../change/change.ts";
import { unlessRefused } from "../../change/refusals.ts";
import { type Shortcut, useShortcuts } from "../../keys/keys.ts";
import { api, keys } from "../../lib/api.ts";
import { openTagging } from "../../tags/tagging.ts";
import { toast } from "../../ui/toasts.tsx";
import type { Reading } from "./reading.ts";

export function useChangeKeys({ key, session, state, refusalOf }: Reading): void {
  const client = useQueryClient();
  const { title } = session;
  const here = (): number => state.current.get();

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
  ];
  useShortcuts(all.map(unlessRefused));
}
