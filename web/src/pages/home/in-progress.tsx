/** The sessions that an agent is writing now, and those that a program has open. */
import { useLatest, useLiveness } from "../sessions/use-live.ts";
import { HomeSection } from "./home-section.tsx";
import { placeOf } from "./place.ts";
import { SessionLine } from "./session-line.tsx";

const MOST = 6;

export function InProgress() {
  const { data } = useLatest();
  const livenessOf = useLiveness();
  const live = (data?.sessions ?? []).filter((session) => livenessOf(session) !== undefined);
  if (live.length === 0) return null;
  return (
    <HomeSection title="In progress" count={live.length}>
      <ul>
        {live.slice(0, MOST).map((session) => (
          <SessionLine
            key={`${session.source} ${session.id}`}
            session={session}
            liveness={livenessOf(session)}
            where={placeOf(session)}
          />
        ))}
      </ul>
    </HomeSection>
  );
}
