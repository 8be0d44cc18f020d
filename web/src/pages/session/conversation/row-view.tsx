/** One row of the conversation, dimmed while the lens shows that a budget would cut it. */
import { Braces } from "lucide-react";
import { memo } from "react";
import { Markdown } from "../../../text/markdown.tsx";
import { IconButton } from "../../../ui/button.tsx";
import { type Fate, type Fates, useFate } from "../fates.ts";
import { useReading } from "../reading.ts";
import css from "./conversation.module.css";
import { Checkpoint, Clear, Edit, Notice, Silent } from "./dividers.tsx";
import { Note } from "./note.tsx";
import type { Row } from "./rows.ts";
import { Run } from "./run.tsx";
import { Thinking } from "./thinking.tsx";
import { ToolCall } from "./tool-call.tsx";
import { TurnHead } from "./turn-head.tsx";

export const RowView = memo(function RowView({ row }: { readonly row: Row }) {
  const fate = useFate((all) => fateOf(row, all));
  return (
    <div className={css.row} data-kind={row.kind} data-depth={row.depth || undefined} data-fate={fate}>
      <RowBody row={row} fate={fate} />
      <RawRecord row={row} />
    </div>
  );
});

const NAMES: Readonly<Partial<Record<Row["kind"], string>>> = {
  text: "Answer",
  thinking: "Thinking",
  edit: "Change of a file",
  checkpoint: "Checkpoint",
  clear: "Cleared context",
  notice: "Notice",
  note: "Note",
};

/** Beside a part, once somebody points at it; the heads of turns and calls have a place of their own for it. */
function RawRecord({ row }: { readonly row: Row }) {
  const { showRecord } = useReading();
  const name = NAMES[row.kind];
  // A long answer is several rows of one record.
  if (name === undefined || !("part" in row) || (row.kind === "text" && !row.isFirst)) return null;
  const where = row.turn < 0 ? "before the first turn" : `in turn ${row.turn}`;
  return (
    <span className={css.raw}>
      <IconButton label="Raw record" onClick={() => showRecord(row.part.origin, `${name} ${where}`)}>
        <Braces />
      </IconButton>
    </span>
  );
}

function fateOf(row: Row, { byTurn, byCall, thinking }: Fates): Fate | null | undefined {
  const ofTurn = byTurn.get(row.turn);
  if (ofTurn === "dropped") return ofTurn;
  if (row.kind === "tool") return byCall.get(row.part.callId);
  if (row.kind === "thinking") return thinking;
  return row.kind === "head" ? undefined : ofTurn;
}

function RowBody({ row, fate }: { readonly row: Row; readonly fate: Fate | undefined }) {
  switch (row.kind) {
    case "head":
      return <TurnHead outline={row.outline} full={row.full} />;
    case "blank":
      return <Blank size={row.size} />;
    case "text":
      return <Markdown text={row.text} />;
    case "thinking":
      return <Thinking row={row} />;
    case "tool":
      return <ToolCall row={row} fate={fate} />;
    case "run":
      return <Run row={row} />;
    case "edit":
      return <Edit part={row.part} />;
    case "checkpoint":
      return <Checkpoint row={row} />;
    case "clear":
      return <Clear />;
    case "notice":
      return <Notice part={row.part} />;
    case "note":
      return <Note row={row} />;
    case "silent":
      return <Silent />;
  }
}

/** Where a turn will stand once it was read. */
const Blank = ({ size }: { readonly size: number }) => (
  <div className={css.blank} style={{ height: Math.max(24, size - 12) }} aria-hidden="true" />
);
