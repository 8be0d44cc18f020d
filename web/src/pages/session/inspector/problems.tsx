/** Every problem that was found with the session, and its repair. */
import { useState } from "react";
import { PROBLEM_CODES } from "../../../../../src/model/problem.ts";
import { RemedyButton } from "../../../change/next-step.tsx";
import { clean } from "../../../text/clean.ts";
import { Button } from "../../../ui/button.tsx";
import { useReading } from "../reading.ts";
import { sentence } from "../sentence.ts";
import css from "./inspector.module.css";

const SHOWN = 4;

export function Problems() {
  const { key, outline, showRecord } = useReading();
  const [isWhole, setWhole] = useState(false);
  const { problems } = outline;
  const rest = problems.length - SHOWN;
  return (
    <>
      <ul>
        {problems.slice(0, isWhole ? undefined : SHOWN).map((problem, at) => {
          const { code, message, line, remedy } = problem;
          const known = PROBLEM_CODES[code];
          // Several problems have one repair: its button stands with the first.
          const isFirst = problems.findIndex((each) => each.remedy?.action === remedy?.action) === at;
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: two may be alike in all they say
            <li key={at} className={css.problem} data-severity={known?.severity}>
              {sentence(clean(message))}
              {line !== null && <small>line {line}</small>}
              {remedy && isFirst && <RemedyButton remedy={remedy} around={key} />}{" "}
              {line !== null && (
                <Button
                  size="small"
                  tone="ghost"
                  onClick={() => showRecord({ line, start: 0, end: 0 }, known?.means ?? code)}
                >
                  Raw record
                </Button>
              )}
            </li>
          );
        })}
      </ul>
      {rest > 0 && !isWhole && (
        <button type="button" className={css.more} onClick={() => setWhole(true)}>
          Show {rest} more
        </button>
      )}
    </>
  );
}
