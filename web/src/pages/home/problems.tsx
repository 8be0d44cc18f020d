/** What is wrong, worst first, each with the one step that helps. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CircleCheck } from "lucide-react";
import type { Answer } from "../../../../src/client/types.ts";
import { amount } from "../../../../src/present/text/measure.ts";
import { openRemedy, remedyLabel } from "../../change/remedies.ts";
import { api, keys } from "../../lib/api.ts";
import { sourceOf } from "../../lib/sources.ts";
import { line, titleOf } from "../../lib/titles.ts";
import { Button } from "../../ui/button.tsx";
import { Skeleton } from "../../ui/states.tsx";
import home from "./home.module.css";
import { HomeSection } from "./home-section.tsx";
import css from "./problems.module.css";

const MOST = 3;

export function Problems({ overview }: { readonly overview: Answer<"overview"> | undefined }) {
  const wrong = (overview?.damaged ?? 0) + (overview?.troubled ?? 0);
  const { data, isPending, isError } = useQuery({
    queryKey: keys.problems,
    queryFn: ({ signal }) => api.problems({ signal }),
    // The store knows whether there are any; to say which ones, all sessions are looked at.
    enabled: wrong > 0,
  });
  const problems = (data?.problems ?? []).filter(({ severity }) => severity !== "oddity");
  const more = (
    <Link to="/doctor" className={home.more}>
      Doctor
    </Link>
  );
  return (
    <HomeSection
      title="Problems"
      {...(problems.length > 0 && { count: amount(problems.length) })}
      more={more}
    >
      {overview === undefined || (isPending && wrong > 0) ? (
        <Skeleton rows={Math.min(wrong, MOST)} height={82} />
      ) : isError ? (
        <p className={css.none}>The problems could not be looked up.</p>
      ) : problems.length === 0 ? (
        <p className={css.none}>
          <CircleCheck aria-hidden="true" />
          Every session is intact.
        </p>
      ) : (
        <ul>
          {together(problems)
            .slice(0, MOST)
            .map(({ problem, count }) => (
              <li
                key={`${problem.code} ${problem.source} ${problem.session} ${problem.path} ${problem.line}`}
                className={css.problem}
                data-severity={problem.severity}
              >
                <div>
                  <p className={css.title}>{nameOf(problem, count)}</p>
                  <p className={css.message}>{sentence(problem.message)}</p>
                </div>
                {problem.remedy ? (
                  <Button
                    size="small"
                    aria-label={`${remedyLabel(problem.remedy)} ${problem.title ?? ""}`}
                    onClick={() => problem.remedy && openRemedy(problem.remedy)}
                  >
                    {remedyLabel(problem.remedy)}
                  </Button>
                ) : (
                  <Link to="/doctor" className={home.more}>
                    Details
                  </Link>
                )}
              </li>
            ))}
        </ul>
      )}
    </HomeSection>
  );
}

type Problem = Answer<"doctor">["problems"][number];

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

const sentence = (words: string): string =>
  `${line(words).charAt(0).toUpperCase()}${line(words).slice(1)}.`.replace(/\.\.$/, ".");
