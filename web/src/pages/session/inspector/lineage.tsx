/** The family of the session: what it was copied from, and what was copied from it. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { plural } from "../../../../../src/present/text/measure.ts";
import { api } from "../../../lib/api.ts";
import { toKey } from "../../../lib/session-key.ts";
import { clean } from "../../../text/clean.ts";
import { Time } from "../../../ui/time.tsx";
import { useReading } from "../reading.ts";
import css from "./inspector.module.css";
import { Section } from "./section.tsx";

type Relative = Awaited<ReturnType<typeof api.family>>["families"][number];

const KINDS = {
  fork: "fork",
  clone: "clone",
  branch: "branch",
  agent: "sub-agent",
  handoff: "handed over",
  import: "imported",
} as const;

const MOST = 8;

export function Lineage() {
  const { key } = useReading();
  // Below `tree`: a new fork makes it stale.
  const { data } = useQuery({
    queryKey: ["tree", key],
    queryFn: ({ signal }) => api.family(key, { signal }),
  });
  const family = useMemo(() => (data?.families ?? []).flatMap((first) => nearest(first, key)), [data, key]);
  if (family.length < 2) return null;
  return (
    <Section title="Lineage">
      <ol className={css.family}>
        {family.slice(0, MOST).map((relative) => (
          <li key={toKey(relative)} data-here={toKey(relative) === key || undefined}>
            {toKey(relative) === key ? (
              <b>this session</b>
            ) : (
              <Link to="/s/$key" params={{ key: toKey(relative) }} title={clean(relative.title)}>
                {clean(relative.title)}
              </Link>
            )}
            <small>
              {relative.kind === null ? "original" : KINDS[relative.kind]}
              {relative.createdAt !== null && (
                <>
                  {" · "}
                  <Time at={relative.createdAt} />
                </>
              )}
              {relative.turns !== null && ` · ${plural(relative.turns, "turn", "turns")}`}
              {relative.vanishedAt !== null && " · files are gone"}
            </small>
          </li>
        ))}
      </ol>
      {family.length > MOST && (
        <Link to="/tree" search={{ session: key }} className={css.more}>
          All {family.length} in the tree
        </Link>
      )}
    </Section>
  );
}

/** Those that lead to this one, this one, and those that came from it; cousins are in the tree. */
function nearest(first: Relative, key: string): Relative[] {
  const path = pathTo(first, key);
  const here = path.at(-1);
  return here ? [...path, ...here.children] : [];
}

function pathTo(relative: Relative, key: string): Relative[] {
  if (toKey(relative) === key) return [relative];
  for (const child of relative.children) {
    const path = pathTo(child, key);
    if (path.length > 0) return [relative, ...path];
  }
  return [];
}
