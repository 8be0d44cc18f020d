/** The files that the session changed: by how many lines, and in which turn first. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { FileClock, FileMinus2, FilePen, FilePlus2 } from "lucide-react";
import { useState } from "react";
import { api } from "../../../lib/api.ts";
import { clean } from "../../../text/clean.ts";
import { Counts } from "../../../text/diff-view.tsx";
import { below } from "../conversation/below.ts";
import { useReading } from "../reading.ts";
import type { Session } from "../types.ts";
import css from "./inspector.module.css";
import { Section } from "./section.tsx";

const SHOWN = 8;
const ICONS: Readonly<Record<string, typeof FilePen>> = { created: FilePlus2, deleted: FileMinus2 };

/** As it is asked about, wherever the session started from. */
const fullPath = (workspace: string | null, path: string): string =>
  /^([A-Za-z]:)?[\\/]/.test(path) || workspace === null ? path : `${workspace}/${path}`;

export interface BlameAddress {
  readonly repo?: string;
  readonly file: string;
}

export function Files({
  toBlame = ({ workspace }, path) => ({ file: fullPath(workspace, path) }),
}: {
  /** Where its lines are blamed. */
  readonly toBlame?: (session: Session, path: string) => BlameAddress | undefined;
}) {
  const { key, session, outline, state } = useReading();
  const [isWhole, setWhole] = useState(false);
  const { data } = useQuery({
    queryKey: ["session", key, "files"],
    queryFn: ({ signal }) => api.changedFiles(key, { signal }),
    enabled: outline.turns.some(({ filesChanged }) => filesChanged > 0),
  });
  const files = data?.files ?? [];
  if (files.length === 0) return null;
  return (
    <Section title="Files changed" count={files.length}>
      <ul className={css.list}>
        {files.slice(0, isWhole ? undefined : SHOWN).map(({ path, action, turn, added, removed }) => {
          const Icon = ICONS[action] ?? FilePen;
          const name = clean(below(session.workspace, path));
          const address = action === "deleted" ? undefined : toBlame(session, path);
          const last = Math.max(name.lastIndexOf("/"), name.lastIndexOf("\\")) + 1;
          return (
            <li key={path} data-action={action}>
              <Icon role="img" aria-label={action} />
              <button
                type="button"
                className={css.path}
                title={`${name}: ${action}${turn === null ? "" : ` in turn ${turn}`}`}
                onClick={() => turn !== null && state.jump.to(turn)}
              >
                {/* Where there is no room for all of it, the file is told by its name. */}
                <span className={css.folder}>{name.slice(0, last)}</span>
                <span>{name.slice(last)}</span>
              </button>
              {address && (
                <Link
                  to="/blame"
                  search={address}
                  className={css.blame}
                  aria-label={`Who wrote ${name}`}
                  title="Who wrote each line"
                >
                  <FileClock aria-hidden="true" />
                </Link>
              )}
              {added !== null && removed !== null && <Counts added={added} removed={removed} />}
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
