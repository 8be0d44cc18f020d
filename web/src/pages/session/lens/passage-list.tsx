/** Every passage of the context, the largest first; each leads to its place in the conversation. */
import { useVirtualizer } from "@tanstack/react-virtual";
import { useMemo, useRef } from "react";
import { amount, compact } from "../../../../../src/present/text/measure.ts";
import { queryClient } from "../../../lib/api.ts";
import { clean } from "../../../text/clean.ts";
import { Button } from "../../../ui/button.tsx";
import { below } from "../conversation/below.ts";
import { firstPage, pageQuery } from "../conversation/turn-pages.ts";
import { type Reading, useReading } from "../reading.ts";
import { type Block, blockOf } from "./blocks.ts";
import css from "./lens.module.css";
import type { LensAnswer, Passage } from "./types.ts";

const ROW = 30;

export function PassageList({
  lens,
  effect,
  blocks,
  only,
  onAll,
}: {
  readonly lens: LensAnswer;
  readonly effect: LensAnswer | undefined;
  readonly blocks: readonly Block[];
  /** Only passages of this block. */
  readonly only: string | undefined;
  readonly onAll: () => void;
}) {
  const reading = useReading();
  const box = useRef<HTMLDivElement>(null);
  const fills = useMemo(() => new Map(blocks.map((block) => [block.id, block])), [blocks]);
  const changed = useMemo(() => new Map(effect?.passages.map((each) => [each.id, each])), [effect]);
  const passages = useMemo(
    () =>
      lens.passages
        .filter((passage) => only === undefined || blockOf(passage) === only)
        .toSorted((a, b) => b.tokens - a.tokens),
    [lens, only],
  );
  const rows = useVirtualizer({
    count: passages.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW,
    overscan: 8,
  });
  const name = only === undefined ? undefined : fills.get(only)?.label;
  return (
    <div className={css.list}>
      {name !== undefined && (
        <p className={css.narrowed}>
          Only {name}
          <Button size="small" tone="ghost" onClick={onAll}>
            Show all
          </Button>
        </p>
      )}
      <div ref={box} className={css.rows} style={{ height: Math.min(passages.length, 8) * ROW }}>
        <ol
          style={{ height: rows.getTotalSize() }}
          aria-label={`${amount(passages.length)} passages, largest first`}
        >
          {rows.getVirtualItems().map(({ index, start }) => {
            const passage = passages[index];
            if (!passage) return null;
            const now = changed.get(passage.id);
            const block = fills.get(blockOf(passage));
            return (
              <li key={passage.id} style={{ transform: `translateY(${start}px)` }}>
                <button type="button" data-fate={now?.fate} onClick={() => void goTo(reading, passage)}>
                  <i className={css.swatch} data-fill={block?.fill} />
                  <span className={css.who}>{block?.label}</span>
                  <span className={css.text}>{clean(below(reading.session.workspace, passage.label))}</span>
                  <span className={css.turn}>{passage.turn === null ? "" : `turn ${passage.turn}`}</span>
                  <span className={css.size}>
                    {now
                      ? `${compact(passage.tokens)} → ${compact(now.tokensAfter)}`
                      : compact(passage.tokens)}
                  </span>
                </button>
              </li>
            );
          })}
        </ol>
      </div>
    </div>
  );
}

/** To the call itself where it is one; its turn may have to be read first. */
async function goTo({ key, state }: Reading, { turn, callId }: Passage): Promise<void> {
  const at = turn ?? 0;
  state.jump.to(at);
  if (callId === null || turn === null) return;
  const page = await queryClient.fetchQuery({
    ...pageQuery(key, firstPage(turn)),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const parts = page.turns.find(({ index }) => index === turn)?.parts ?? [];
  const place = parts.findIndex((part) => part.kind === "tool" && part.callId === callId);
  if (place < 0) return;
  // Long runs of calls are folded; those that may hide this one are opened.
  state.folds.set((before) => {
    const after = new Map(before);
    for (let start = 0; start <= place; start++) after.set(`${turn}.${start}+`, true);
    return after;
  });
  requestAnimationFrame(() => requestAnimationFrame(() => state.jump.to(turn, `${turn}.${place}`)));
}
