/** Chooses the last turn that is kept: a list of prompts in which what comes after is struck out. */

import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, useEffect, useId, useRef } from "react";
import { plural } from "../../../../src/present/text/measure.ts";
import { clean } from "../../text/clean.ts";
import type { Facts } from "../use-change.ts";
import css from "./form.module.css";

const ROW = 32;
const PAGE = 8;

export function TurnPicker({
  label,
  turns,
  value,
  onValue,
}: {
  readonly label: string;
  readonly turns: Facts["turns"];
  readonly value: number | undefined;
  readonly onValue: (turn: number) => void;
}) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const last = turns.length - 1;
  const chosen = value ?? last;
  const rows = useVirtualizer({
    count: turns.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW,
    overscan: 6,
    initialOffset: Math.max(0, (chosen - 3) * ROW),
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another choice scrolls
  useEffect(() => rows.scrollToIndex(chosen, { align: "auto" }), [chosen]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const to = { ArrowUp: -1, ArrowDown: 1, PageUp: -PAGE, PageDown: PAGE, Home: -last, End: last }[
      event.key
    ];
    if (to === undefined) return;
    event.preventDefault();
    onValue(Math.min(last, Math.max(0, chosen + to)));
  };
  return (
    <div>
      <div
        ref={box}
        className={css.turns}
        role="listbox"
        tabIndex={0}
        aria-label={label}
        aria-activedescendant={`${id}-${chosen}`}
        onKeyDown={onKeyDown}
      >
        <div style={{ height: rows.getTotalSize() }} role="presentation">
          {rows.getVirtualItems().map(({ index, start }) => {
            const turn = turns[index];
            if (!turn) return null;
            return (
              <div
                key={turn.index}
                id={`${id}-${index}`}
                role="option"
                tabIndex={-1}
                aria-selected={index === chosen}
                aria-setsize={turns.length}
                aria-posinset={index + 1}
                className={css.turn}
                data-gone={index > chosen || undefined}
                style={{ transform: `translateY(${start}px)` }}
                onClick={() => onValue(index)}
                onKeyDown={onKeyDown}
              >
                <span className={css.number}>{turn.index}</span>
                <span className="ellipsis" title={clean(turn.prompt)}>
                  {clean(turn.prompt) || "(no prompt)"}
                </span>
                {turn.toolCalls > 0 && (
                  <span className={css.tools}>{plural(turn.toolCalls, "call", "calls")}</span>
                )}
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}
