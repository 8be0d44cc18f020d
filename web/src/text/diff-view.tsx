/** Changed lines: what went out, what came in, what is around it. */
import { useMemo, useState } from "react";
import { amount } from "../../../src/present/text/measure.ts";
import { clean } from "./clean.ts";
import { paintLine } from "./code.tsx";
import css from "./diff.module.css";
import { useHighlight } from "./highlight.ts";
import type { DiffLine } from "./line-diff.ts";

const SHOWN = 60;
const SPARE = 20;

const SIGNS = { same: " ", added: "+", removed: "−", gap: " " } as const;

export function DiffView({
  lines,
  language,
}: {
  readonly lines: readonly DiffLine[];
  readonly language: string | undefined;
}) {
  const [isWhole, setWhole] = useState(false);
  const rest = lines.length - SHOWN;
  const isFolded = rest > SPARE && !isWhole;
  const shown = useMemo(
    () => (isFolded ? lines.slice(0, SHOWN) : lines).map((line) => ({ ...line, text: clean(line.text) })),
    [isFolded, lines],
  );
  // All at once: a question for each line would keep the worker busy.
  const colours = useHighlight(
    useMemo(() => shown.map(({ kind, text }) => (kind === "gap" ? "" : text)).join("\n"), [shown]),
    language,
  );
  return (
    <div className={css.diff}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: wide lines are scrolled with the arrow keys */}
      <pre tabIndex={0}>
        {shown.map(({ kind, text }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name, and never move
          <span key={at} className={css.line} data-kind={kind}>
            <span className={css.sign} aria-hidden="true">
              {SIGNS[kind]}
            </span>
            {kind === "gap" ? text : paintLine(text, colours?.[at])}
            {"\n"}
          </span>
        ))}
      </pre>
      {isFolded && (
        <button type="button" className={css.more} onClick={() => setWhole(true)}>
          Show {amount(rest)} more lines
        </button>
      )}
    </div>
  );
}

export function Counts({ added, removed }: { readonly added?: number; readonly removed?: number }) {
  if (added === undefined && removed === undefined) return null;
  return (
    <span className={css.counts}>
      {added !== undefined && <span data-kind="added">+{amount(added)}</span>}
      {removed !== undefined && <span data-kind="removed">−{amount(removed)}</span>}
    </span>
  );
}
