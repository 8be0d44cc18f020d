/** One turn on one side: what was asked, which tools ran, what was answered; with marks where the other side differs. */
import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { longestCommon } from "../../../../src/model/session/lcs.ts";
import type { Part } from "../../../../src/model/session/turns.ts";
import { editGist, gistOf, STATUS_MARKS } from "../../../../src/present/text/parts.ts";
import { clean } from "../../text/clean.ts";
import { Markdown } from "../../text/markdown.tsx";
import { Time } from "../../ui/time.tsx";
import css from "./diff.module.css";
import type { Turn } from "./use-turn.ts";
import { type Span, wordDiff } from "./word-diff.ts";

export type Side = "a" | "b";

export function TurnSide({
  session,
  workspace,
  turn,
  other,
  side,
}: {
  readonly session: string;
  readonly workspace: string | null;
  readonly turn: Turn;
  /** The same turn on the other side, where it is another version of this one. */
  readonly other: Turn | undefined;
  readonly side: Side;
}) {
  const ownLines = useMemo(() => linesOf(turn, workspace), [turn, workspace]);
  const fresh = useMemo(
    () => (other ? newLines(ownLines, linesOf(other, workspace)) : undefined),
    [ownLines, other, workspace],
  );
  return (
    <article className={css.turn} data-side={side} aria-label={`Turn ${turn.index}`}>
      <header className={css.turnHead}>
        <Link to="/s/$key" params={{ key: session }} search={{ turn: turn.index }} className={css.index}>
          Turn {turn.index}
        </Link>
        <Time at={turn.startedAt} />
      </header>
      {turn.user !== "" && (
        <div className={css.prompt}>
          <Marked text={turn.user} other={other?.user} side={side} />
        </div>
      )}
      {ownLines.map((line, at) =>
        line.kind === "text" ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a turn stay where they are
          <div key={at} className={css.answer}>
            <Marked text={line.text} other={textAt(other, line.number)} side={side} isTypeset />
          </div>
        ) : line.kind === "thinking" ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a turn stay where they are
          <details key={at} className={css.thinking}>
            <summary>Thinking</summary>
            <p>{clean(line.text)}</p>
          </details>
        ) : (
          <p
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a turn stay where they are
            key={at}
            className={css.tool}
            data-kind={line.kind}
            data-new={fresh?.has(at) || undefined}
            title={clean(line.text)}
          >
            <b data-status={line.status}>{line.mark}</b>
            {line.name !== "" && <strong>{clean(line.name)}</strong>}
            <span className="ellipsis">{clean(line.text)}</span>
          </p>
        ),
      )}
    </article>
  );
}

type Line =
  | { readonly kind: "text"; readonly text: string; readonly number: number }
  | { readonly kind: "thinking"; readonly text: string }
  | {
      readonly kind: "tool" | "edit" | "note";
      readonly text: string;
      readonly name: string;
      readonly mark: string;
      readonly status: string;
    };

function linesOf({ parts }: Turn, workspace: string | null): Line[] {
  const folder = workspace ?? undefined;
  let texts = 0;
  return parts.flatMap((part): Line[] => {
    const note = (text: string): Line[] => [{ kind: "note", text, name: "", mark: "·", status: "" }];
    switch (part.kind) {
      case "text":
        return part.text.trim() === "" ? [] : [{ kind: "text", text: part.text, number: texts++ }];
      case "thinking":
        return [{ kind: "thinking", text: part.text }];
      case "tool":
        return [
          {
            kind: "tool",
            text: gistOf(part, folder),
            name: part.name,
            mark: STATUS_MARKS[part.status],
            status: part.status,
          },
        ];
      case "edit":
        return [{ kind: "edit", text: editGist(part, folder), name: "edit", mark: "±", status: "" }];
      case "checkpoint":
        return note(`Checkpoint${part.title ? `: ${part.title}` : ""}`);
      case "clear":
        return note("Context cleared");
      case "notice":
        return note(part.text);
      default:
        return [];
    }
  });
}

const textAt = (turn: Turn | undefined, number: number): string | undefined =>
  turn?.parts.filter(isText).filter(({ text }) => text.trim() !== "")[number]?.text;

const isText = (part: Part): part is Extract<Part, { kind: "text" }> => part.kind === "text";

/** Tool lines that the other side does not have, in its order. */
function newLines(own: readonly Line[], others: readonly Line[]): ReadonlySet<number> {
  const nameOf = (line: Line): string => ("name" in line ? `${line.name} ${line.mark} ${line.text}` : "");
  const tools = own.flatMap((line, at) => ("name" in line ? [at] : []));
  const common = longestCommon(
    tools.map((at) => nameOf(own[at] as Line)),
    others.filter((line) => "name" in line).map(nameOf),
  );
  const same = new Set(common.map(([i]) => tools[i]));
  return new Set(tools.filter((at) => !same.has(at)));
}

/** Nothing is marked where the other side has no such text, or has the same. */
function Marked({
  text: given,
  other,
  side,
  isTypeset = false,
}: {
  readonly text: string;
  readonly other: string | undefined;
  readonly side: Side;
  /** Markdown, where nothing is marked in it. */
  readonly isTypeset?: boolean;
}) {
  const text = useMemo(() => clean(given), [given]);
  const spans = useMemo((): readonly Span[] | undefined => {
    if (other === undefined) return undefined;
    return side === "a" ? wordDiff(text, clean(other))?.a : wordDiff(clean(other), text)?.b;
  }, [text, other, side]);
  if (!spans) return isTypeset ? <Markdown text={text} /> : <p className={css.plain}>{text}</p>;
  return (
    <p className={css.plain}>
      {spans.map((span, at) =>
        span.isSame ? (
          span.text
        ) : side === "a" ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the spans of a text stay where they are
          <del key={at}>{span.text}</del>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the spans of a text stay where they are
          <ins key={at}>{span.text}</ins>
        ),
      )}
    </p>
  );
}
