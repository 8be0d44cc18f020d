/** Where a finding was seen: enough to believe it, the rest on request. */
import { useState } from "react";
import { line } from "../../lib/titles.ts";
import { Evidence, type Seen } from "./evidence.tsx";
import css from "./reports.module.css";

const MOST = 4;

export function EvidenceList({
  evidence,
}: {
  readonly evidence: readonly (Seen & { readonly detail: string | null })[];
}) {
  const [isOpen, setOpen] = useState(false);
  const shown = isOpen ? evidence : evidence.slice(0, MOST);
  return (
    <>
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
    </>
  );
}
