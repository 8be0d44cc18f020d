/** The files that the session changed, and the turn in which each was changed first. */
import { useQuery } from "@tanstack/react-query";
import { FileMinus2, FilePen, FilePlus2 } from "lucide-react";
import { useState } from "react";
import { api } from "../../../lib/api.ts";
import { clean } from "../../../text/clean.ts";
import { below } from "../conversation/below.ts";
import { useReading } from "../reading.ts";
import css from "./inspector.module.css";
import { Section } from "./inspector.tsx";

const SHOWN = 8;
const MOST = 2_000;
const ICONS: Readonly<Record<string, typeof FilePen>> = { created: FilePlus2, deleted: FileMinus2 };

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

export function Files() {
  const { key, session, outline, state } = useReading();
  const [isWhole, setWhole] = useState(false);
  const { data } = useQuery({
    queryKey: ["session", key, "files"],
    queryFn: ({ signal }) =>
      api.sql(
        {
          sql: `SELECT path, action, turn FROM file_use WHERE source = ${quoted(session.source)} AND session = ${quoted(session.id)} AND action <> 'read' ORDER BY turn, path`,
          limit: MOST,
        },
        { signal },
      ),
    enabled: outline.turns.some(({ filesChanged }) => filesChanged > 0),
  });
  const files = (data?.rows ?? []).map(([path, action, turn]) => ({
    path: String(path),
    action: String(action),
    turn: typeof turn === "number" ? turn : undefined,
  }));
  if (files.length === 0) return null;
  return (
    <Section title="Files changed" count={files.length}>
      <ul className={css.list}>
        {files.slice(0, isWhole ? undefined : SHOWN).map(({ path, action, turn }) => {
          const Icon = ICONS[action] ?? FilePen;
          const name = clean(below(session.workspace, path));
          return (
            <li key={path} data-action={action}>
              <button
                type="button"
                className={css.path}
                title={`${name}: ${action}${turn === undefined ? "" : ` in turn ${turn}`}`}
                onClick={() => turn !== undefined && state.jump.to(turn)}
              >
                {name}
              </button>
              <Icon role="img" aria-label={action} />
            </li>
          );
        })}
      </ul>
      {files.length > SHOWN && !isWhole && (
        <button type="button" className={css.more} onClick={() => setWhole(true)}>
          Show {files.length - SHOWN} more
        </button>
      )}
    </Section>
  );
}
