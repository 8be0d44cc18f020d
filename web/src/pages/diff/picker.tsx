/** Chooses a session by typing, for a side that has none yet. */
import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import { api, keys } from "../../lib/api.ts";
import { toKey } from "../../lib/session-key.ts";
import { clean } from "../../text/clean.ts";
import { SourceMark } from "../../ui/marks.tsx";
import { Suggest } from "../../ui/suggest.tsx";
import { Time } from "../../ui/time.tsx";
import css from "./diff.module.css";

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
    <Suggest
      label={label}
      placeholder="Type a title, repository or branch"
      value={text}
      onChange={setText}
      items={found}
      toText={toKey}
      onPick={(session) => onPick(toKey(session))}
      none={words === "" ? undefined : `No session matches “${words}”`}
    >
      {(session) => (
        <>
          <SourceMark source={session.source} />
          <span className="ellipsis">{clean(session.title)}</span>
          <span className={css.about}>
            <span className="ellipsis">{session.repository ?? ""}</span>
            <Time at={session.updatedAt} isBrief />
          </span>
        </>
      )}
    </Suggest>
  );
}
