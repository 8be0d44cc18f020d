/** A row of the comparison: turns that are the same, folded; or a turn of each side. */
import { ChevronRight, Equal } from "lucide-react";
import { useState } from "react";
import { Failure } from "../../change/failure.tsx";
import { Button } from "../../ui/button.tsx";
import css from "./diff.module.css";
import { type Pair, rangeText } from "./pairs.ts";
import { type Side, TurnSide } from "./turn-side.tsx";
import { useTurn } from "./use-turn.ts";

export interface Compared {
  readonly key: string;
  readonly workspace: string | null;
}

export function PairRow({ pair, a, b }: { readonly pair: Pair; readonly a: Compared; readonly b: Compared }) {
  return pair.kind === "same" ? <SameRow pair={pair} a={a} /> : <ApartRow pair={pair} a={a} b={b} />;
}

/** So many turns that are the same are shown at once, when they are asked for. */
const STEP = 20;

function SameRow({ pair, a }: { readonly pair: Pair & { kind: "same" }; readonly a: Compared }) {
  const [isOpen, setOpen] = useState(false);
  const [shown, setShown] = useState(STEP);
  const range = rangeText(pair.a, pair.count);
  const text =
    pair.a === pair.b
      ? `${range} ${pair.count === 1 ? "is" : "are"} the same`
      : `${range} on the left and ${rangeText(pair.b, pair.count)} on the right are the same`;
  return (
    <div className={css.same}>
      <button type="button" className={css.fold} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <ChevronRight className={css.arrow} aria-hidden="true" />
        <Equal className={css.equal} aria-hidden="true" />
        {text.charAt(0).toUpperCase() + text.slice(1)}
      </button>
      {isOpen && (
        <div className={css.both}>
          {indexes(pair.a, Math.min(shown, pair.count)).map((index) => (
            <Half key={index} session={a} index={index} side="a" isPlain />
          ))}
          {shown < pair.count && (
            <Button size="small" onClick={() => setShown(shown + STEP)}>
              Show {rangeText(pair.a + shown, Math.min(STEP, pair.count - shown))}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

const indexes = (from: number, count: number): number[] =>
  Array.from({ length: count }, (_, at) => from + at);

const WORDS: Readonly<Record<string, string>> = {
  prompt: "prompt",
  answer: "answer",
  thinking: "thinking",
  calls: "tool calls",
  results: "results",
};

function ApartRow({
  pair,
  a,
  b,
}: {
  readonly pair: Pair & { kind: "apart" };
  readonly a: Compared;
  readonly b: Compared;
}) {
  const left = useTurn(a.key, pair.a);
  const right = useTurn(b.key, pair.b);
  const isVersion = pair.differs.length > 0;
  return (
    <div>
      {isVersion && (
        <p className={css.differs}>
          Another version: {pair.differs.map((what) => WORDS[what] ?? what).join(", ")}{" "}
          {pair.differs.length === 1 && pair.differs[0] !== "calls" && pair.differs[0] !== "results"
            ? "differs"
            : "differ"}
        </p>
      )}
      <div className={css.pair}>
        <Half session={a} index={pair.a} side="a" other={isVersion ? right.turn : undefined} />
        <Half session={b} index={pair.b} side="b" other={isVersion ? left.turn : undefined} />
      </div>
    </div>
  );
}

function Half({
  session,
  index,
  side,
  other,
  isPlain = false,
}: {
  readonly session: Compared;
  readonly index: number | undefined;
  readonly side: Side;
  readonly other?: Parameters<typeof TurnSide>[0]["other"];
  readonly isPlain?: boolean;
}) {
  const { turn, error } = useTurn(session.key, index);
  if (index === undefined) return <div className={css.missing} data-side={side} />;
  if (error) return <Failure error={error} />;
  if (!turn) return <div className={css.waiting} data-side={side} aria-busy="true" />;
  return (
    <div className={css.half} data-side={side} data-plain={isPlain || undefined}>
      <TurnSide session={session.key} workspace={session.workspace} turn={turn} other={other} side={side} />
    </div>
  );
}
