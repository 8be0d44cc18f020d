/** The summaries that compactions left, and where they stand. */
import { useQuery } from "@tanstack/react-query";
import { chars } from "../../../../../src/present/text/measure.ts";
import { api } from "../../../lib/api.ts";
import { clean } from "../../../text/clean.ts";
import { useReading } from "../reading.ts";
import css from "./inspector.module.css";
import { Section } from "./section.tsx";

export function Checkpoints() {
  const { key, outline, session, state } = useReading();
  const isAny =
    outline.turns.some(({ hasCheckpoint }) => hasCheckpoint) ||
    session.sidecars.some(({ kind }) => kind === "checkpoint");
  const { data } = useQuery({
    queryKey: ["session", key, "checkpoints"],
    queryFn: ({ signal }) => api.checkpoints(key, { signal }),
    enabled: isAny,
  });
  if (!data || data.checkpoints.length === 0) return null;
  return (
    <Section title="Checkpoints" count={data.checkpoints.length}>
      <ul className={css.list}>
        {data.checkpoints.map(({ number, title: given, turns, isSent, characters }) => {
          const title = given || (turns === null ? "Summary" : `After turn ${Math.max(0, turns - 1)}`);
          return (
            <li key={number}>
              {turns === null ? (
                <span className="ellipsis">
                  {number}. {clean(title)}
                </span>
              ) : (
                <button
                  type="button"
                  className="ellipsis"
                  title={`${clean(title)}: after turn ${Math.max(0, turns - 1)}`}
                  onClick={() => state.jump.to(Math.max(0, turns - 1))}
                >
                  {number}. {clean(title)}
                </button>
              )}
              <small>{isSent ? "in use" : chars(characters)}</small>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
