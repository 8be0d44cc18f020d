/** What is wrong with the session, above the conversation: damage, and files that are gone. */
import { TriangleAlert } from "lucide-react";
import { PROBLEM_CODES } from "../../../../../src/model/problem.ts";
import { RemedyButton } from "../../../change/next-step.tsx";
import { clean } from "../../../text/clean.ts";
import { describe } from "../../../ui/states.tsx";
import { Time } from "../../../ui/time.tsx";
import { useReading } from "../reading.ts";
import { sentence } from "../sentence.ts";
import css from "./header.module.css";

export function Trouble() {
  const { key, session, outline, error } = useReading();
  // What its program tolerates is listed beside, not called out.
  const grave = outline.problems.filter(({ code }) => PROBLEM_CODES[code]?.severity !== "oddity");
  const [first, ...more] = grave;
  if (session.vanishedAt !== null)
    return (
      <div className={css.trouble} role="note">
        <TriangleAlert aria-hidden="true" />
        <span>
          The files of this session are gone since <Time at={session.vanishedAt} />. This is the copy that was
          kept; export it as a bundle and import that to make it a session again.
        </span>
      </div>
    );
  if (error)
    return (
      <div className={css.trouble} role="note">
        <TriangleAlert aria-hidden="true" />
        <span>{clean(describe(error).message)}. What is shown was read before.</span>
      </div>
    );
  if (!first) return null;
  return (
    <div className={css.trouble} role="note">
      <TriangleAlert aria-hidden="true" />
      <span>
        {sentence(clean(first.message))}
        {more.length > 0 && ` (and ${more.length} more)`}
      </span>
      {first.remedy && <RemedyButton remedy={first.remedy} around={key} />}
    </div>
  );
}
