/** Said where there is no session at all: where was looked, and what to do. */
import { useQuery } from "@tanstack/react-query";
import { api, keys } from "../../lib/api.ts";
import { sourceOf } from "../../lib/sources.ts";
import { Empty } from "../../ui/states.tsx";
import css from "./no-sessions.module.css";

export function NoSessions() {
  const { data } = useQuery({ queryKey: keys.index, queryFn: ({ signal }) => api.index({ signal }) });
  return (
    <Empty title="There is no session on this machine yet">
      <p>
        Work with a coding agent whose folder is named below, and the conversation appears here by itself. To
        look around with sample sessions, run <code>rethread serve --demo</code>.
      </p>
      {data && data.homes.length > 0 && (
        <ul className={css.homes} aria-label="Folders that were looked into">
          {data.homes.map(({ source, path, exists }) => (
            <li key={`${source} ${path}`}>
              <span>{sourceOf(source).short}</span>
              <code>{path}</code>
              <span className="muted">{exists ? "no sessions" : "not there"}</span>
            </li>
          ))}
        </ul>
      )}
    </Empty>
  );
}
