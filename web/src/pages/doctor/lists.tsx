/** The problems in their groups: by workspace and session, or by what is wrong. */

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { plural } from "../../../../src/present/text/measure.ts";
import { api, keys } from "../../lib/api.ts";
import { toKey } from "../../lib/session-key.ts";
import { sourceOf } from "../../lib/sources.ts";
import { clean } from "../../text/clean.ts";
import { Button } from "../../ui/button.tsx";
import { Badge, SourceMark } from "../../ui/marks.tsx";
import css from "./doctor.module.css";
import { FindingRow } from "./finding-row.tsx";
import { alikeIn, type Finding, meaningOf, type Patient, patientsIn } from "./findings.ts";

/** So many groups are shown at first, and each time more are asked for. */
const PAGE = 40;

export function PatientList({ findings }: { readonly findings: readonly Finding[] }) {
  const [most, setMost] = useState(PAGE);
  const folderOf = useFolders();
  const patients = useMemo(() => patientsIn(findings), [findings]);
  const shown = patients.slice(0, most);
  const workspaces = [...Map.groupBy(shown, (patient) => folderOf(patient))];
  return (
    <>
      {workspaces.map(([folder, own]) => (
        <section key={folder} className={css.group}>
          <h2 title={folder}>
            <bdi>{folder}</bdi>
          </h2>
          {own.map((patient) => (
            <PatientCard key={patient.key} patient={patient} />
          ))}
        </section>
      ))}
      <More left={patients.length - shown.length} onMore={() => setMost(most + PAGE)} />
    </>
  );
}

/** The folder that a session is about: the store knows most of them, VS Code's paths tell the rest. */
function useFolders(): (patient: Patient) => string {
  const query = { problems: true, limit: 500 } as const;
  const { data: sessions } = useQuery({
    queryKey: keys.sessions(query),
    queryFn: ({ signal }) => api.sessions(query, { signal }),
  });
  const { data: workspaces } = useQuery({
    queryKey: keys.workspaces,
    queryFn: ({ signal }) => api.workspaces({ signal }),
  });
  return useMemo(() => {
    const bySession = new Map(sessions?.sessions.map((each) => [toKey(each), each.workspace]));
    const byId = new Map(workspaces?.workspaces.map(({ id, folder }) => [id, folder]));
    return ({ key, source, findings }) => {
      const [, id = ""] = /[\\/]workspaceStorage[\\/]([^\\/]+)/.exec(findings[0]?.path ?? "") ?? [];
      return bySession.get(key) ?? byId.get(id) ?? sourceOf(source).label;
    };
  }, [sessions, workspaces]);
}

function PatientCard({ patient }: { readonly patient: Patient }) {
  const { source, session, title, key, findings } = patient;
  const name =
    (title === null ? null : clean(title)) ??
    (session === null ? `Files of ${sourceOf(source).short}` : session);
  return (
    <article className={css.card}>
      <header>
        <SourceMark source={source} />
        <h3 className="ellipsis">
          {session === null || title === null ? (
            name
          ) : (
            <Link to="/s/$key" params={{ key }} title={name} className={css.heading}>
              {name}
            </Link>
          )}
        </h3>
        <span className={css.hint}>{plural(findings.length, "problem", "problems")}</span>
      </header>
      <ul>
        {alikeIn(findings).map((alike) => (
          <FindingRow key={alike.key} alike={alike} />
        ))}
      </ul>
    </article>
  );
}

export function KindList({ findings }: { readonly findings: readonly Finding[] }) {
  const [most, setMost] = useState(PAGE * 2);
  const kinds = useMemo(() => [...Map.groupBy(findings, ({ code }) => code)], [findings]);
  let room = most;
  const shown = kinds.flatMap(([code, all]) => {
    const part = alikeIn(all).slice(0, Math.max(0, room));
    room -= part.length;
    return part.length === 0 ? [] : [{ code, count: all.length, part }];
  });
  return (
    <>
      {shown.map(({ code, count, part }) => (
        <article key={code} className={css.card}>
          <header>
            <i className={css.dot} data-severity={part[0]?.first.severity} />
            <h3>{meaningOf(code)}</h3>
            <code className={css.code}>{code}</code>
            <Badge>{count}</Badge>
          </header>
          <ul>
            {part.map((alike) => (
              <FindingRow key={alike.key} alike={alike} isNamed />
            ))}
          </ul>
        </article>
      ))}
      <More left={room <= 0 ? findings.length - most : 0} onMore={() => setMost(most + PAGE * 2)} />
    </>
  );
}

function More({ left, onMore }: { readonly left: number; readonly onMore: () => void }) {
  return left > 0 ? (
    <p className={css.more}>
      <Button onClick={onMore}>Show more</Button>
    </p>
  ) : null;
}
