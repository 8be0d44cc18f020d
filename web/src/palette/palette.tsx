/** The palette: type to find any session, any view and any action that the view offers. */
import { Autocomplete } from "@base-ui/react/autocomplete";
import { Dialog } from "@base-ui/react/dialog";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { CornerDownLeft, Search as SearchIcon } from "lucide-react";
import { useMemo, useState } from "react";
import { type Shortcut, shortcuts } from "../keys/keys.ts";
import { api, keys } from "../lib/api.ts";
import { withoutOwners } from "../lib/mode.ts";
import { useStore } from "../lib/store.ts";
import { Keys } from "../ui/keys.tsx";
import { SourceMark } from "../ui/marks.tsx";
import { Time } from "../ui/time.tsx";
import { type Action, type Entry, type EntryGroup, entriesFor } from "./entries.ts";
import css from "./palette.module.css";
import { paletteOpen } from "./palette-state.ts";

const MOST_SESSIONS = 12;

export function Palette({ useActions }: { readonly useActions: () => readonly Action[] }) {
  const navigate = useNavigate();
  const [text, setText] = useState("");
  // Not deferred: Enter right behind the last letter must run what the whole text names.
  const words = text.trim();
  const query = { limit: MOST_SESSIONS, ...withoutOwners(), ...(words !== "" && { q: words }) };
  const { data, isPlaceholderData } = useQuery({
    queryKey: keys.sessions(query),
    queryFn: ({ signal }) => api.sessions(query, { signal }),
    placeholderData: (before) => before,
  });
  const offered = useStore(shortcuts);
  const actions = useActions();
  const close = (): void => paletteOpen.set(false);

  const groups = useMemo(
    () =>
      entriesFor(
        words,
        { sessions: data?.sessions ?? [], isBehind: isPlaceholderData },
        [...viewFirst(offered), ...actions],
        {
          open: (key) => void navigate({ to: "/s/$key", params: { key } }),
          search: (q) => void navigate({ to: "/search", search: { q } }),
        },
      ),
    [actions, data, isPlaceholderData, navigate, offered, words],
  );

  return (
    <Dialog.Root open onOpenChange={(open) => !open && close()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={css.backdrop} />
        <Dialog.Popup className={css.palette} aria-label="Find any session or action">
          <Autocomplete.Root
            inline
            open
            items={groups}
            value={text}
            onValueChange={setText}
            filter={null}
            autoHighlight="always"
            keepHighlight
            itemToStringValue={(entry: Entry) => entry.label}
          >
            <div className={css.field}>
              <SearchIcon aria-hidden="true" />
              <Autocomplete.Input
                placeholder="Find a session, a view or an action"
                aria-label="Find"
                autoFocus
              />
            </div>
            <Autocomplete.Empty className={css.empty}>
              {words === "" ? null : `Nothing here is called “${words}”`}
            </Autocomplete.Empty>
            <Autocomplete.List className={css.list}>
              {(group: EntryGroup) => (
                <Autocomplete.Group key={group.label} items={group.items}>
                  <Autocomplete.GroupLabel className={css.group}>{group.label}</Autocomplete.GroupLabel>
                  <Autocomplete.Collection>
                    {(entry: Entry) => (
                      <Autocomplete.Item
                        key={entry.id}
                        value={entry}
                        className={css.entry}
                        data-refused={entry.refusal !== undefined || undefined}
                        onClick={() => {
                          close();
                          entry.run();
                        }}
                      >
                        {entry.session && <SourceMark source={entry.session.source} />}
                        <span className={css.label}>{entry.label}</span>
                        {entry.session && (
                          <span className={css.about}>
                            <span className="ellipsis">{entry.session.where}</span>
                            <Time at={entry.session.updatedAt} isBrief />
                          </span>
                        )}
                        {entry.refusal !== undefined && (
                          <span className={css.why} title={entry.refusal}>
                            {entry.refusal}
                          </span>
                        )}
                        {entry.keys !== undefined && <Keys keys={entry.keys} />}
                        <CornerDownLeft className={css.enter} aria-hidden="true" />
                      </Autocomplete.Item>
                    )}
                  </Autocomplete.Collection>
                </Autocomplete.Group>
              )}
            </Autocomplete.List>
          </Autocomplete.Root>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** What the view offers before what is always there; one of those that say the same. */
function viewFirst(offered: readonly Shortcut[]): Shortcut[] {
  const groups = Map.groupBy(
    offered.filter(({ isKeyOnly }) => !isKeyOnly),
    ({ group }) => group,
  );
  const isOfView = (group: string): boolean => group !== "Everywhere" && group !== "Go to";
  const all = [
    ...[...groups].filter(([group]) => isOfView(group)),
    ...[...groups].filter(([group]) => !isOfView(group)),
  ].flatMap(([, each]) => each);
  return [...new Map(all.map((each) => [each.label, each])).values()];
}
