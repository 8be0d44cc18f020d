/** One finding: what was found, what to do, where it was seen, and the step that helps. */
import { useState } from "react";
import { openRemedy, type RemedyData, remedyLabel } from "../../change/remedies.ts";
import { line } from "../../lib/titles.ts";
import { Button } from "../../ui/button.tsx";
import { Evidence, type Seen } from "./evidence.tsx";
import css from "./reports.module.css";

/** Enough to believe it. */
const MOST_EVIDENCE = 4;

export function FindingCard({
  title,
  suggestion,
  evidence,
  remedy,
}: {
  readonly title: string;
  readonly suggestion: string;
  readonly evidence: readonly (Seen & { readonly detail: string | null })[];
  readonly remedy: RemedyData | null;
}) {
  const [isOpen, setOpen] = useState(false);
  const shown = isOpen ? evidence : evidence.slice(0, MOST_EVIDENCE);
  return (
    <li className={css.finding}>
      <div className={css.findingHead}>
        <h2>{line(title)}</h2>
        {remedy && (
          <Button size="small" onClick={() => openRemedy(remedy)}>
            {remedyLabel(remedy)}
          </Button>
        )}
      </div>
      <p className={css.suggestion}>{withCode(line(suggestion))}</p>
      <ul className={css.seen}>
        {shown.map((each) => (
          <li key={`${each.session.source} ${each.session.id} ${each.turn} ${each.detail}`}>
            <Evidence {...each} />
            {each.detail !== null && <span className={css.detail}>{line(each.detail)}</span>}
          </li>
        ))}
      </ul>
      {evidence.length > shown.length && (
        <button type="button" className={css.more} onClick={() => setOpen(true)}>
          {evidence.length - shown.length} more
        </button>
      )}
    </li>
  );
}

/** What stands between backquotes, as code. */
const withCode = (text: string) =>
  text
    .split(/`([^`]+)`/)
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one sentence stay where they are
    .map((piece, at) => (at % 2 === 1 ? <code key={at}>{piece}</code> : piece));
