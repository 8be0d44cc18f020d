/** The lines of a file, and beside them what is known of the line that is selected or pointed at. */
import { useNavigate } from "@tanstack/react-router";
import { FileQuestion } from "lucide-react";
import { useMemo, useRef, useState } from "react";
import { toKey } from "../../lib/session-key.ts";
import { useMedia } from "../../lib/use-media.ts";
import { Empty } from "../../ui/states.tsx";
import css from "./blame.module.css";
import { type AskWhy, Details } from "./details.tsx";
import { type Blame, nextGroup, toPlaces } from "./groups.ts";
import { LineList, type LineListHandle } from "./line-list.tsx";
import { useLineKeys } from "./use-line-keys.ts";
import { useSelectedLine } from "./use-selected-line.ts";

export function BlamedFile({
  blame,
  name,
  inAddress,
  askWhy,
}: {
  readonly blame: Blame;
  /** As the address has it. */
  readonly name: string;
  readonly inAddress: number | undefined;
  /** Where the server knows more of a line than its prompt. */
  readonly askWhy?: AskWhy;
}) {
  const navigate = useNavigate();
  const places = useMemo(() => toPlaces(blame), [blame]);
  const [pointed, setPointed] = useState<number>();
  const hasRoom = useMedia("(min-width: 1000px)");
  const list = useRef<LineListHandle>(null);
  const { line: selected, latest, select } = useSelectedLine(inAddress);
  const goTo = (line: number | undefined): void => {
    setPointed(undefined);
    select(line);
    if (line !== undefined) list.current?.show(line - 1);
  };
  const move = (by: number): void =>
    goTo(Math.min(places.length, Math.max(1, (latest() ?? (by > 0 ? 0 : 2)) + by)));
  const open = (): void => {
    const line = blame.lines[(latest() ?? 0) - 1];
    if (line?.session)
      void navigate({
        to: "/s/$key",
        params: { key: toKey(line.session) },
        search: line.turn === null ? {} : { turn: line.turn },
      });
  };
  useLineKeys({
    move,
    open,
    jump: (by) => goTo(nextGroup(places, latest(), by)),
    leave: () => select(undefined),
  });
  if (places.length === 0)
    return (
      <Empty icon={<FileQuestion />} title="This file is empty">
        There is no line that anybody could have written.
      </Empty>
    );
  const shown = (hasRoom ? pointed : undefined) ?? selected;
  const place = shown === undefined ? undefined : places[shown - 1];
  return (
    <div className={css.split} data-open={place !== undefined || undefined}>
      <LineList
        ref={list}
        places={places}
        name={name}
        selected={selected}
        shown={shown}
        onSelect={goTo}
        onPoint={setPointed}
      />
      {(hasRoom || place) && (
        <Details
          place={place}
          commits={blame.commits}
          isSelected={shown === selected}
          {...(askWhy && { askWhy })}
          {...(!hasRoom && { onClose: () => select(undefined) })}
        />
      )}
    </div>
  );
}
