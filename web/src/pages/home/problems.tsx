/** What is wrong, worst first, each with the one step that helps. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CircleCheck } from "lucide-react";
import type { Answer } from "../../../../src/client/types.ts";
import { amount, plural } from "../../../../src/present/text/measure.ts";
import { openChange } from "../../change/change.ts";
import { useRefusals } from "../../change/refusals.ts";
import { openRemedy, remedyLabel } from "../../change/remedies.ts";
import { api, keys } from "../../lib/api.ts";
import { toKey } from "../../lib/session-key.ts";
import { sourceOf } from "../../lib/sources.ts";
import { line, titleOf } from "../../lib/titles.ts";
import { askDiagnosis } from "../../live/examination.ts";
import { Skeleton } from "../../ui/states.tsx";
import home from "./home.module.css";
import { HomeSection } from "./home-section.tsx";
import { ProblemCard, type ProblemFacts } from "./problem-card.tsx";
import css from "./problems.module.css";

const MOST = 3;
/** To say what is wrong, every session is read; with more than these, only what the store knows is said here. */
const FEW_SESSIONS = 600;

export function Problems({ overview }: { readonly overview: Answer<"overview"> | undefined }) {
  const wrong = (overview?.damaged ?? 0) + (overview?.troubled ?? 0);
  const isSmall = (overview?.sessionCount ?? 0) <= FEW_SESSIONS;
  const known = useKnown(wrong > 0 && !isSmall);
  const looked = useLooked(wrong > 0 && isSmall);
  const { cards, isPending, isError } = isSmall ? looked : known;
  return (
    <HomeSection
      title="Problems"
      {...(wrong > 0 && { count: amount(wrong) })}
      more={
        <Link to="/doctor" className={home.more}>
          Doctor
        </Link>
      }
    >
      {overview === undefined || (isPending && wrong > 0) ? (
        <div className={home.wait}>
          <Skeleton rows={Math.min(wrong, MOST)} height={82} />
        </div>
      ) : isError ? (
        <p className={css.none}>The problems could not be looked up.</p>
      ) : wrong === 0 ? (
        <p className={css.none}>
          <CircleCheck aria-hidden="true" />
          Every session is intact.
        </p>
      ) : cards.length === 0 ? (
        <p className={css.none}>
          {plural(wrong, "session is", "sessions are")} hidden from their program. The doctor knows more.
        </p>
      ) : (
        <ul>
          {cards.slice(0, MOST).map((card) => (
            <ProblemCard key={card.id} {...card} />
          ))}
        </ul>
      )}
    </HomeSection>
  );
}

interface Cards {
  readonly cards: readonly ProblemFacts[];
  readonly isPending: boolean;
  readonly isError: boolean;
}

/** What was found while indexing. */
function useKnown(isWanted: boolean): Cards {
  const refuse = useRefusals();
  const query = { problems: true, owners: false, limit: MOST };
  const { data, isPending, isError } = useQuery({
    queryKey: keys.sessions(query),
    queryFn: ({ signal }) => api.sessions(query, { signal }),
    enabled: isWanted,
  });
  const cards = (data?.sessions ?? []).map((session) => ({
    id: toKey(session),
    title: titleOf(session),
    message: `${plural(session.problemCount, "problem was", "problems were")} found when it was indexed.`,
    isDamage: true,
    ...(refuse("rescue", [session]) === undefined && {
      action: "Repair…",
      run: () => openChange({ kind: "rescue", sessions: [toKey(session)], title: titleOf(session) }),
    }),
  }));
  return { cards, isPending, isError };
}

/** What the doctor says. */
function useLooked(isWanted: boolean): Cards {
  const { data, isPending, isError } = useQuery({
    queryKey: keys.problems,
    queryFn: ({ signal }) => askDiagnosis(signal),
    enabled: isWanted,
  });
  const found = (data?.problems ?? []).filter(({ severity }) => severity !== "oddity");
  const cards = together(found).map(({ problem, count }) => ({
    id: `${problem.code} ${problem.source} ${problem.session} ${problem.path} ${problem.line}`,
    title: nameOf(problem, count),
    message: sentence(problem.message),
    isDamage: problem.severity === "damage",
    ...(problem.remedy && {
      action: remedyLabel(problem.remedy, keyOf(problem)),
      run: () => problem.remedy && openRemedy(problem.remedy, keyOf(problem)),
    }),
  }));
  return { cards, isPending, isError };
}

type Problem = Answer<"doctor">["problems"][number];

const keyOf = ({ source, session }: Problem): string | undefined =>
  session === null ? undefined : `${source}:${session}`;

/** The same thing about several sessions is one problem: a folder that is gone, say. */
function together(problems: readonly Problem[]): { problem: Problem; count: number }[] {
  const groups = Map.groupBy(problems, ({ code, message, session, remedy }) =>
    remedy?.action === "rescue" && remedy.session !== undefined ? `${code} ${session}` : `${code} ${message}`,
  );
  return [...groups.values()].flatMap(([problem, ...rest]) =>
    problem ? [{ problem, count: rest.length + 1 }] : [],
  );
}

function nameOf({ title, source }: Problem, count: number): string {
  if (title === null) return sourceOf(source).short;
  return count > 1 ? `${titleOf({ title })} and ${count - 1} more` : titleOf({ title });
}

function sentence(words: string): string {
  const text = line(words);
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?…]$/.test(text) ? "" : "."}`;
}
