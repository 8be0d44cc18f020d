/** Said where there is no session at all: where was looked, and what to do. */
import { useQuery } from "@tanstack/react-query";
import { plural } from "../../../../src/present/text/measure.ts";
import { api, keys } from "../../lib/api.ts";
import { sourceOf } from "../../lib/sources.ts";
import { Empty } from "../../ui/states.tsx";
import css from "./no-sessions.module.css";

type Home = Awaited<ReturnType<typeof api.index>>["homes"][number];

export function NoSessions() {
  const { data } = useQuery({ queryKey: keys.index, queryFn: ({ signal }) => api.index({ signal }) });
  const homes = data?.homes ?? [];
  const present = homes.filter(({ exists }) => exists);
  const absent = homes.filter(({ exists }) => !exists);
  return (
    <Empty title="There is no session on this machine yet">
      <p>
        Work with a coding agent whose folder is named below, and the conversation appears here by itself. To
        look around with sample sessions, run <code>rethread serve --demo</code>.
      </p>
      <Homes label="Folders without sessions" homes={present} />
      {absent.length > 0 && (
        <details className={css.absent}>
          <summary>{plural(absent.length, "folder", "folders")} looked for, and not there</summary>
          <Homes label="Folders that are not there" homes={absent} />
        </details>
      )}
    </Empty>
  );
}

function Homes({ label, homes }: { readonly label: string; readonly homes: readonly Home[] }) {
  if (homes.length === 0) return null;
  return (
    <ul className={css.homes} aria-label={label}>
      {homes.map(({ source, path, exists }) => (
        <li key={`${source} ${path}`}>
          <span>{sourceOf(source).short}</span>
          <code>{path}</code>
          {exists && <span className="muted">no sessions</span>}
        </li>
      ))}
    </ul>
  );
}
