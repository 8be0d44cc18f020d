/** Turns and tokens before and after, as bars; and what was kept, shortened and dropped. */
import { amount, compact } from "../../../../src/present/text/measure.ts";
import type { Plan } from "../plans.ts";
import css from "./plan.module.css";

type Stats = NonNullable<Plan["stats"]>;
type Ledger = NonNullable<NonNullable<Plan["ledger"]>>;

export function SizeChange({ stats }: { readonly stats: Stats }) {
  const { originalTokens, clonedTokens, originalTurns, clonedTurns, compressionRatio } = stats;
  return (
    <dl className={css.sizes}>
      <Measure label="Tokens" before={originalTokens} after={clonedTokens} change={-compressionRatio} />
      <Measure label="Turns" before={originalTurns} after={clonedTurns} />
    </dl>
  );
}

function Measure({
  label,
  before,
  after,
  change,
}: {
  readonly label: string;
  readonly before: number;
  readonly after: number;
  readonly change?: number;
}) {
  const most = Math.max(before, after, 1);
  const isSame = before === after;
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <span className={css.bar} aria-hidden="true">
          <i data-gone style={{ width: `${(before / most) * 100}%` }} />
          <i style={{ width: `${(after / most) * 100}%` }} />
        </span>
        <span className={css.figures}>
          {isSame ? (
            <>
              <b>{amount(after)}</b> <span>as before</span>
            </>
          ) : (
            <>
              <span title={amount(before)}>{compact(before)}</span> →{" "}
              <b title={amount(after)}>{compact(after)}</b>
              {change !== undefined && change !== 0 && (
                <span>
                  {change > 0 ? "+" : "−"}
                  {Math.abs(change)}%
                </span>
              )}
            </>
          )}
        </span>
      </dd>
    </div>
  );
}

const ROWS: readonly (readonly [keyof Ledger, string])[] = [
  ["turns", "Turns"],
  ["toolCalls", "Tool calls"],
  ["texts", "Texts"],
  ["thoughts", "Thinking"],
];

/** Without what the session never had. */
export function LedgerTable({ ledger }: { readonly ledger: Ledger }) {
  const rows = ROWS.filter(([name]) => ledger[name].kept + ledger[name].cut + ledger[name].dropped > 0);
  if (rows.length === 0) return null;
  return (
    <table className={css.ledger}>
      <thead>
        <tr>
          <td />
          <th scope="col">kept</th>
          <th scope="col">shortened</th>
          <th scope="col">dropped</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, label]) => (
          <tr key={name}>
            <th scope="row">{label}</th>
            <td>{amount(ledger[name].kept)}</td>
            <td data-none={ledger[name].cut === 0 || undefined}>{amount(ledger[name].cut)}</td>
            <td data-none={ledger[name].dropped === 0 || undefined}>{amount(ledger[name].dropped)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
