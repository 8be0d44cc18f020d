/** The pieces of an answer: text, thinking, a line for each tool, and what the program wants people to know. */
import { Check, LoaderCircle, TriangleAlert, X } from "lucide-react";
import { clean } from "../../text/clean.ts";
import { Markdown } from "../../text/markdown.tsx";
import type { Piece } from "./answer-state.ts";
import css from "./message.module.css";

export function Pieces({
  pieces,
  isLive = false,
}: {
  readonly pieces: readonly Piece[];
  readonly isLive?: boolean;
}) {
  return pieces.map((piece, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces are only added at the end
    <OnePiece key={at} piece={piece} isLive={isLive && at === pieces.length - 1} />
  ));
}

function OnePiece({ piece, isLive }: { readonly piece: Piece; readonly isLive: boolean }) {
  switch (piece.kind) {
    case "text":
      return <Markdown text={piece.text} />;
    case "thinking":
      return <Thinking text={piece.text} isLive={isLive} />;
    case "tool":
      return <ToolLine name={piece.name} state={piece.state} says={piece.says} reason={piece.reason} />;
    case "notice":
      return (
        <p className={css.notice} data-error={piece.isError || undefined}>
          {clean(piece.text)}
        </p>
      );
  }
}

function Thinking({ text, isLive }: { readonly text: string; readonly isLive: boolean }) {
  return (
    <details className={css.thinking}>
      <summary>{isLive ? "Thinking…" : "Thinking"}</summary>
      <p>{clean(text)}</p>
    </details>
  );
}

export function ToolLine({
  name,
  state,
  says,
  reason,
}: {
  readonly name: string;
  readonly state: "began" | "done" | "failed";
  readonly says?: string | undefined;
  readonly reason?: string | undefined;
}) {
  return (
    <div className={css.tool} data-state={state}>
      {state === "began" ? (
        <LoaderCircle className={`${css.mark} ${css.spin}`} role="img" aria-label="running" />
      ) : state === "done" ? (
        <Check className={css.mark} role="img" aria-label="done" />
      ) : (
        <X className={css.mark} role="img" aria-label="failed" />
      )}
      <strong>{clean(name)}</strong>
      <span className={css.says} title={says}>
        {clean(says ?? "")}
      </span>
      {reason !== undefined && (
        <span className={css.reason}>
          <TriangleAlert className={css.small} aria-hidden="true" /> {clean(reason)}
        </span>
      )}
    </div>
  );
}
