/** The keys of the list of sessions: to move in it, and to change what is in it. */
import { openChange } from "../../change/change.ts";
import { unlessRefused, useRefusals } from "../../change/refusals.ts";
import { type Shortcut, useShortcuts } from "../../keys/keys.ts";
import { toKey } from "../../lib/session-key.ts";
import { titleOf } from "../../lib/titles.ts";
import { openTagging } from "../../tags/tagging.ts";
import { changeAll, download, exportChoices } from "./list-actions.ts";
import type { Selection } from "./selection.ts";
import type { SessionRow } from "./session-query.ts";
import type { SessionList } from "./use-list.ts";

const group = "Sessions";

export interface ListKeys {
  readonly list: SessionList;
  readonly selection: Selection;
  readonly selectAll: () => void;
}

export function useMoveKeys(list: SessionList, open: (session: SessionRow | undefined) => void): void {
  const move = (by: number) => (): void => void list.move(by);
  useShortcuts([
    { keys: "j", label: "Next session", group, isKeyOnly: true, run: move(1) },
    { keys: "k", label: "Previous session", group, isKeyOnly: true, run: move(-1) },
    { keys: "down", label: "Next session", group, isKeyOnly: true, run: move(1) },
    { keys: "up", label: "Previous session", group, isKeyOnly: true, run: move(-1) },
    { keys: "home", label: "First session", group, isKeyOnly: true, run: list.first },
    { keys: "end", label: "Last session", group, isKeyOnly: true, run: list.last },
    {
      keys: "enter",
      label: "Open the session",
      group,
      isKeyOnly: true,
      run: () => list.choose(open),
    },
  ]);
}

export function useChangeKeys({ list, selection, selectAll }: ListKeys): void {
  const { session } = list;
  const refuse = useRefusals();
  /** What an action is about: what is selected, else the row that the keys are at. */
  const chosen = selection.sessions.length > 0 ? selection.sessions : session ? [session] : [];
  const select = (isRange: boolean) => (): void => {
    if (session) selection.toggle(session, isRange);
  };
  const all: Shortcut[] = [
    { keys: "x", label: "Select the session", group, isKeyOnly: true, run: select(false) },
    { keys: "shift+x", label: "Select up to this session", group, isKeyOnly: true, run: select(true) },
    { keys: "mod+a", label: "Select all that match", group, run: selectAll },
    { keys: "escape", label: "Select none", group, isKeyOnly: true, run: selection.clear },
    {
      keys: "m",
      label: "Move to another folder",
      group,
      refusal: refuse("move", chosen),
      run: () => chosen.length > 0 && changeAll("move", chosen),
    },
    { keys: "t", label: "Tag", group, run: () => openTagging(chosen) },
    {
      keys: "e",
      label: "Export",
      group,
      run: () => {
        const [choice] = exportChoices(chosen);
        if (choice) download(chosen, choice);
      },
    },
    {
      keys: "c",
      label: "Clone the session",
      group,
      refusal: session && refuse("clone", [session]),
      run: () =>
        session && openChange({ kind: "clone", sessions: [toKey(session)], title: titleOf(session) }),
    },
  ];
  useShortcuts(all.map(unlessRefused));
}
