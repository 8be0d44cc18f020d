/** The palette: type to find any session, any view and any action that the view offers. */
import { Autocomplete } from "@base-ui/react/autocomplete";
import { Dialog } from "@base-ui/react/dialog";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { CornerDownLeft, Search as SearchIcon } from "lucide-react";
import { useDeferredValue, useMemo, useState } from "react";
import { shortcuts } from "../keys/keys.ts";
import { api, keys } from "../lib/api.ts";
import { toKey } from "../lib/session-key.ts";
import { useStore } from "../lib/store.ts";
import { Keys } from "../ui/keys.tsx";
import { SourceMark } from "../ui/marks.tsx";
import { Time } from "../ui/time.tsx";
import css from "./palette.module.css";
import { paletteOpen } from "./palette-state.ts";

interface Entry {
  readonly id: string;
  readonly label: string;
  readonly run: () => void;
  readonly keys?: string;
  readonly session?: { readonly source: string; readonly updatedAt: string | null; readonly where: string };
}

const MOST_SESSIONS = 12;

export function Palette() {
  const navigate = useNavigate();
  const [text, setText] = useState("");
  const words = useDeferredValue(text).trim();
  const query = { limit: MOST_SESSIONS, ...(words !== "" && { q: words }) };
  const { data } = useQuery({
    queryKey: keys.sessions(query),
    queryFn: ({ signal }) => api.sessions(query, { signal }),
    placeholderData: (before) => before,
  });
  const offered = useStore(shortcuts);
  const close = (): void => paletteOpen.set(false);

  const groups = useMemo(() => {
    const matches = (label: string): boolean =>
      words
        .toLowerCase()
        .split(/\s+/)
        .every((word) => label.toLowerCase().includes(word));
    const actions = offered
      .filter(({ isKeyOnly, label, group }) => !isKeyOnly && matches(`${label} ${group}`))
      .map(
        ({ keys: shortcut, label, run }): Entry => ({ id: `action ${label}`, label, run, keys: shortcut }),
      );
    const sessions = (data?.sessions ?? []).map(
      (session): Entry => ({
        id: toKey(session),
        label: session.title,
        run: () => void navigate({ to: "/s/$key", params: { key: toKey(session) } }),
        session: {
          source: session.source,
          updatedAt: session.updatedAt,
          where: session.repository ?? session.workspace ?? "",
        },
      }),
    );
    const search: Entry[] =
      words === ""
        ? []
        : [
            {
              id: "search",
              label: `Search everything that was said for “${words}”`,
              run: () => void navigate({ to: "/search", search: { q: words } }),
            },
          ];
    return [
      { label: "Sessions", items: sessions },
      { label: "Search", items: search },
      { label: "Actions", items: actions },
    ].filter(({ items }) => items.length > 0);
  }, [data, navigate, offered, words]);

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
              {(group: (typeof groups)[number]) => (
                <Autocomplete.Group key={group.label} items={group.items}>
                  <Autocomplete.GroupLabel className={css.group}>{group.label}</Autocomplete.GroupLabel>
                  <Autocomplete.Collection>
                    {(entry: Entry) => (
                      <Autocomplete.Item
                        key={entry.id}
                        value={entry}
                        className={css.entry}
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
