/** The context lens: what the model would receive on resume, and a handle that shows what a budget would cut. */
import { useEffect, useState } from "react";
import { amount, compact } from "../../../../../src/present/text/measure.ts";
import { openChange } from "../../../change/change.ts";
import { Button } from "../../../ui/button.tsx";
import { describe, useSlow } from "../../../ui/states.tsx";
import { useReading } from "../reading.ts";
import { Bar } from "./bar.tsx";
import { blocksOf } from "./blocks.ts";
import { Key } from "./key.tsx";
import { ledgerText } from "./ledger-text.ts";
import css from "./lens.module.css";
import { PassageList } from "./passage-list.tsx";
import { turnsWithin } from "./steps.ts";
import type { LensAnswer, LensBudget } from "./types.ts";
import { type LensState, useLens } from "./use-lens.ts";

export function Lens() {
  const { key, session, state: reading } = useReading();
  const state = useLens(key, session);
  const { lens, error, retry, start } = state;
  useEffect(() => {
    if (lens) reading.tokens.set(new Map(lens.turns.map(({ index, tokens }) => [index, tokens])));
  }, [lens, reading]);
  const isSlow = useSlow(!lens && !error && !start);
  if (start)
    return (
      <section className={css.lens} aria-label="What fills the context">
        <p className={css.quiet}>
          This session is large.{" "}
          <Button size="small" onClick={start}>
            Show what fills the context
          </Button>
        </p>
      </section>
    );
  if (error && !lens)
    return (
      <section className={css.lens} aria-label="What fills the context">
        <p className={css.quiet}>
          What fills the context is not known: {describe(error).message}.{" "}
          <Button size="small" onClick={retry}>
            Try again
          </Button>
        </p>
      </section>
    );
  if (!lens)
    return (
      <section className={css.lens} aria-busy="true" aria-label="What fills the context">
        <header className={css.head}>
          <h2>What fills the context</h2>
        </header>
        <div className={css.bar}>
          <div className={css.track} data-blank={isSlow || undefined} />
        </div>
        <div className={css.key} />
        <div className={css.below} />
      </section>
    );
  if (lens.tokens === 0)
    return (
      <section className={css.lens} aria-label="What fills the context">
        <p className={css.quiet}>On resume, the model would receive nothing of this session.</p>
      </section>
    );
  return <Filled lens={lens} state={state} />;
}

function Filled({ lens, state }: { readonly lens: LensAnswer; readonly state: LensState }) {
  const { budget, setBudget, effect, isAsking, reach } = state;
  const isSlow = useSlow(isAsking);
  const [shown, setShown] = useState<string>();
  const [isOpen, setOpen] = useState(false);
  const result = effect?.budget ?? undefined;
  const blocks = blocksOf(lens.shares);
  const after = effect
    ? new Map(blocksOf(effect.shares).map(({ id, tokensAfter }) => [id, tokensAfter]))
    : undefined;
  const canCut = lens.why === null;
  return (
    <section className={css.lens} aria-label="What fills the context">
      <header className={css.head}>
        <h2>What fills the context</h2>
        <p className={css.facts}>
          {compact(lens.tokens)} tokens on resume
          {lens.limit && ` of ${compact(lens.limit.tokens)} that ${lens.limit.model ?? "the model"} takes in`}
        </p>
        <Button
          size="small"
          tone="ghost"
          className={css.toggle}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? "Hide the list" : "List by size"}
        </Button>
      </header>
      <Bar
        blocks={blocks}
        after={after}
        tokens={lens.tokens}
        result={result}
        budget={budget}
        onBudget={canCut ? setBudget : undefined}
        onReach={reach}
        shown={shown}
        onShow={(id) => {
          setShown(shown === id ? undefined : id);
          setOpen(shown !== id || isOpen);
        }}
      />
      <Key blocks={blocks} after={after} />
      <div className={css.below}>
        {!canCut ? (
          <p>No budget can be set here: {lens.why}.</p>
        ) : budget === undefined ? (
          <p>Drag the handle at the end of the bar to see what a budget would cut.</p>
        ) : (
          <>
            <p>
              <LedgerWords budget={budget} result={result} tokens={lens.tokens} isSlow={isSlow} />
            </p>
            <div className={css.actions}>
              <Button size="small" tone="ghost" onClick={() => setBudget(undefined)}>
                Reset
              </Button>
              <BudgetActions budget={budget} lens={lens} result={result} />
            </div>
          </>
        )}
      </div>
      {isOpen && (
        <PassageList
          lens={lens}
          effect={effect}
          blocks={blocks}
          only={shown}
          onAll={() => setShown(undefined)}
        />
      )}
    </section>
  );
}

function BudgetActions({
  budget,
  lens,
  result,
}: {
  readonly budget: number;
  readonly lens: LensAnswer;
  readonly result: LensBudget | undefined;
}) {
  const { key, session, refusalOf } = useReading();
  const { title } = session;
  const least = result && !result.reachable ? Math.max(result.smallest, budget) : budget;
  return (
    <>
      <Button
        size="small"
        refusal={refusalOf("compact")}
        onClick={() =>
          openChange({
            kind: "compact",
            sessions: [key],
            input: { keep: turnsWithin(lens.turns, budget) },
            title,
          })
        }
      >
        Compact here…
      </Button>
      <Button
        size="small"
        tone="primary"
        refusal={refusalOf("clone")}
        onClick={() => openChange({ kind: "clone", sessions: [key], input: { budget: least }, title })}
      >
        Clone at {compact(least)}…
      </Button>
    </>
  );
}

/** "at 60k: 41 shortened, 6 dropped, all turns kept" */
function LedgerWords({
  budget,
  result,
  tokens,
  isSlow,
}: {
  readonly budget: number;
  readonly result: LensBudget | undefined;
  readonly tokens: number;
  readonly isSlow: boolean;
}) {
  if (isSlow)
    return (
      <>
        At <b>{compact(budget)}</b>: looking…
      </>
    );
  return (
    <>
      At <b>{compact(budget)}</b>
      {result && `: ${ledgerText(result)}`}
      {result && (
        <span className={css.figures} title={`${amount(tokens)} → ${amount(result.tokens)} tokens`}>
          {compact(tokens)} → {compact(result.tokens)}
        </span>
      )}
    </>
  );
}
