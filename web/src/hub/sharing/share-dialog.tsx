/** Shares a repository or a session with a team: says first who will see how much. */
import { useId, useState } from "react";
import { plural } from "../../../../src/present/text/measure.ts";
import { line } from "../../lib/titles.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { useAccount } from "../account.ts";
import css from "./sharing.module.css";
import { failureText, usePeople, useShare } from "./use-sharing.ts";

export interface Shareable {
  /** One of both. */
  readonly repository?: string;
  readonly session?: string;
  /** How it is called on the page. */
  readonly name: string;
  readonly sessionCount: number;
}

/** More names than these are counted. */
const MOST_NAMES = 6;

export function ShareDialog({ what, onClose }: { readonly what: Shareable; readonly onClose: () => void }) {
  const { user, teams } = useAccount();
  const { data } = usePeople();
  const name = useId();
  const [team, setTeam] = useState(teams[0]?.name);
  const share = useShare(onClose);
  const others = (data?.teams.find((each) => each.team === team)?.members ?? []).filter(
    (member) => member !== user,
  );
  const { repository, session, sessionCount } = what;
  const failure = failureText(share.error);
  return (
    <Dialog
      title={`Share ${line(what.name)}`}
      size="small"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            tone="primary"
            disabled={team === undefined || share.isPending}
            onClick={() =>
              team !== undefined &&
              share.mutate({
                team,
                ...(repository !== undefined ? { repository } : { session: session ?? "" }),
              })
            }
          >
            Share
          </Button>
        </>
      }
    >
      {teams.length === 0 ? (
        <p>You are in no team yet. Whoever runs the hub adds you to one.</p>
      ) : (
        <>
          <fieldset className={css.teams}>
            <legend>With which team?</legend>
            {teams.map((each) => (
              <label key={each.name} data-on={each.name === team || undefined}>
                <input
                  type="radio"
                  name={name}
                  checked={each.name === team}
                  onChange={() => setTeam(each.name)}
                />
                <span className="ellipsis">{line(each.name)}</span>
              </label>
            ))}
          </fieldset>
          <p className={css.effect} role="status">
            {others.length === 0 ? "Nobody else is in this team yet; who joins it" : namesOf(others)} will see{" "}
            <b>{plural(sessionCount, "session", "sessions")}</b>
            {repository !== undefined && " of yours, and those that you push later"}: everything that was
            said, and what tools returned. Secrets were taken out before it was pushed.
          </p>
          <p className={css.note}>You can stop sharing it at any time.</p>
          {failure !== undefined && (
            <p className={css.failure} role="alert">
              {failure}
            </p>
          )}
        </>
      )}
    </Dialog>
  );
}

function namesOf(people: readonly string[]): string {
  const shown = people.slice(0, MOST_NAMES).map(line);
  const rest = people.length - shown.length;
  const all = rest > 0 ? [...shown, plural(rest, "other", "others")] : shown;
  return all.length < 2 ? (all[0] ?? "") : `${all.slice(0, -1).join(", ")} and ${all.at(-1)}`;
}
