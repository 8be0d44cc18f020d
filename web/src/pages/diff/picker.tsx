/** Chooses a session by typing, for a side that has none yet. */
import { Combobox } from "@base-ui/react/combobox";
import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import { api, keys } from "../../lib/api.ts";
import { toKey } from "../../lib/session-key.ts";
import { SourceMark } from "../../ui/marks.tsx";
import { Time } from "../../ui/time.tsx";
import css from "./picker.module.css";

type Found = Awaited<ReturnType<typeof api.sessions>>["sessions"][number];

export function Picker({
  label,
  not,
  onPick,
}: {
  readonly label: string;
  /** Already on the other side. */
  readonly not: string | undefined;
  readonly onPick: (key: string) => void;
}) {
  const [text, setText] = useState("");
  const words = useDeferredValue(text).trim();
  const query = { limit: 30, owners: false, ...(words !== "" && { q: words }) };
  const { data } = useQuery({
    queryKey: keys.sessions(query),
    queryFn: ({ signal }) => api.sessions(query, { signal }),
    placeholderData: (before) => before,
  });
  const found = (data?.sessions ?? []).filter((session) => toKey(session) !== not);
  return (
    <Combobox.Root<Found>
      items={found}
      filter={null}
      inputValue={text}
      onInputValueChange={(value) => setText(value)}
      itemToStringLabel={(session) => session.title}
      onValueChange={(session) => session && onPick(toKey(session))}
    >
      <Combobox.Input
        className={css.input}
        placeholder="Type a title, repository or branch"
        aria-label={label}
      />
      <Combobox.Portal>
        <Combobox.Positioner className={css.positioner} sideOffset={4}>
          <Combobox.Popup className={css.popup}>
            <Combobox.Empty className={css.empty}>
              {words === "" ? null : `No session matches “${words}”`}
            </Combobox.Empty>
            <Combobox.List>
              {(session: Found) => (
                <Combobox.Item key={toKey(session)} value={session} className={css.item}>
                  <SourceMark source={session.source} />
                  <span className="ellipsis">{session.title}</span>
                  <span className={css.about}>
                    <span className="ellipsis">{session.repository ?? ""}</span>
                    <Time at={session.updatedAt} isBrief />
                  </span>
                </Combobox.Item>
              )}
            </Combobox.List>
          </Combobox.Popup>
        </Combobox.Positioner>
      </Combobox.Portal>
    </Combobox.Root>
  );
}
