/** One finding: what was found, what to do, where it was seen, and the step that helps. */
import { openRemedy, type RemedyData, remedyLabel } from "../../change/remedies.ts";
import { line } from "../../lib/titles.ts";
import { Button } from "../../ui/button.tsx";
import type { Seen } from "./evidence.tsx";
import { EvidenceList } from "./evidence-list.tsx";
import css from "./reports.module.css";

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
      <EvidenceList evidence={evidence} />
    </li>
  );
}

/** What stands between backquotes, as code. */
const withCode = (text: string) =>
  text
    .split(/`([^`]+)`/)
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one sentence stay where they are
    .map((piece, at) => (at % 2 === 1 ? <code key={at}>{piece}</code> : piece));
