/** What a row says of a session beside its title: in progress, what it was copied from, problems, files that are gone. */
import { GitFork, KeyRound, Lock, TriangleAlert, Users } from "lucide-react";
import { plural } from "../../../../src/present/text/measure.ts";
import { line, titleOf } from "../../lib/titles.ts";
import { LiveDot } from "../../ui/marks.tsx";
import css from "./row-marks.module.css";
import type { SessionRow } from "./session-query.ts";
import { sealedWords, sharingWords } from "./sharing-words.ts";
import type { Liveness } from "./use-live.ts";

const PARENTS = { fork: "fork", clone: "clone", branch: "branch", agent: "started" } as const;

export function LiveMark({ state }: { readonly state: Liveness }) {
  if (state === undefined) return null;
  return state === "live" ? (
    <span className={css.live}>
      <LiveDot />
      now
    </span>
  ) : (
    <span className={css.open}>open</span>
  );
}

/** "fork of Checkout loses the coupon" */
export function parentText({ parent }: Pick<SessionRow, "parent">): string | undefined {
  if (!parent) return undefined;
  const { kind } = parent;
  const title = parent.title === undefined ? undefined : titleOf({ title: parent.title });
  if (kind === "agent") return title === undefined ? "started by another session" : `started by ${title}`;
  return title === undefined ? PARENTS[kind] : `${PARENTS[kind]} of ${title}`;
}

export function ParentMark({ session }: { readonly session: SessionRow }) {
  const text = parentText(session);
  if (text === undefined) return null;
  return (
    <span className={css.parent} title={text}>
      <GitFork aria-hidden="true" />
      <span className="ellipsis">{text}</span>
    </span>
  );
}

export function ProblemMark({ session }: { readonly session: SessionRow }) {
  if (session.vanishedAt !== null)
    return (
      <span className={css.gone} title="Its files are gone; rethread kept what it had indexed">
        files are gone
      </span>
    );
  // On a hub nobody but its person could repair it.
  if (session.problemCount === 0 || session.person !== undefined) return null;
  const text = plural(session.problemCount, "problem", "problems");
  return (
    <span className={css.problem} title={text}>
      <TriangleAlert aria-hidden="true" />
      {text}
    </span>
  );
}

/** On a hub: who sees the session beside the one whose it is; sealed, where the hub cannot read it. */
export function SharingMark({
  session: { sharing, isSealed },
  isBrief = false,
}: {
  readonly session: Pick<SessionRow, "sharing" | "isSealed">;
  /** The mark alone. */
  readonly isBrief?: boolean;
}) {
  if (sharing === undefined) return null;
  const isPrivate = sharing === "private";
  const Icon = isSealed ? KeyRound : isPrivate ? Lock : Users;
  const words = isSealed ? sealedWords : sharingWords(sharing);
  return (
    <span className={css.sharing} data-shared={!isPrivate || undefined} title={words}>
      <Icon aria-hidden="true" />
      {isBrief ? (
        <span className="sr-only">{words}</span>
      ) : (
        <span className="ellipsis">{isSealed ? "sealed" : line(sharing)}</span>
      )}
    </span>
  );
}
