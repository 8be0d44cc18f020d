/** What the colours of the bar mean, with tokens. */
import { amount, compact } from "../../../../../src/present/text/measure.ts";
import type { Block } from "./blocks.ts";
import css from "./lens.module.css";

/** So many are named; the rest is in the list. */
const MOST = 7;

export function Key({
  blocks,
  after,
}: {
  readonly blocks: readonly Block[];
  readonly after: ReadonlyMap<string, number> | undefined;
}) {
  const named = blocks.toSorted((a, b) => b.tokens - a.tokens).slice(0, MOST);
  const rest = blocks.filter((block) => !named.includes(block));
  return (
    <ul className={css.key}>
      {blocks
        .filter((block) => named.includes(block))
        .map(({ id, label, fill, tokens }) => {
          const left = after ? (after.get(id) ?? 0) : tokens;
          return (
            <li
              key={id}
              title={`${amount(tokens)} tokens${left === tokens ? "" : `, of which ${amount(left)} stay`}`}
              data-less={left < tokens || undefined}
            >
              <i className={css.swatch} data-fill={fill} />
              <span className={css.keyLabel}>{label}</span>
              <b>{compact(left)}</b>
            </li>
          );
        })}
      {rest.length > 0 && (
        <li>
          <i className={css.swatch} data-fill="tool-5" />
          {rest.length} more <b>{compact(rest.reduce((sum, { tokens }) => sum + tokens, 0))}</b>
        </li>
      )}
    </ul>
  );
}
