/** Code: coloured when its language is known, with a button that copies it; very long code is folded. */
import { Check, Copy } from "lucide-react";
import { Fragment, memo, type ReactNode, useEffect, useMemo, useState } from "react";
import { amount } from "../../../src/present/text/measure.ts";
import { copyText } from "../lib/clipboard.ts";
import { IconButton } from "../ui/button.tsx";
import "./code-colours.css";
import css from "./code.module.css";
import { type Lines, useHighlight } from "./highlight.ts";
import type { Piece } from "./highlight-types.ts";
import { languageOf } from "./language-names.ts";

/** As many lines are shown at first, where there are more than a few beyond them. */
const SHOWN_LINES = 120;
const SPARE_LINES = 30;

export const CodeBlock = memo(function CodeBlock({
  code,
  language: name = "",
}: {
  readonly code: string;
  readonly language?: string;
}) {
  const [isWhole, setWhole] = useState(false);
  const { head, rest } = useMemo(() => headOf(code, SHOWN_LINES, SPARE_LINES), [code]);
  const shown = isWhole ? code : head;
  return (
    <figure className={css.block}>
      <div className={css.tools}>
        {name !== "" && <span className={css.language}>{name.split(/\s/)[0]}</span>}
        <CopyButton text={code} what="Code" />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: wide code is scrolled with the arrow keys */}
      <pre className={css.pre} tabIndex={0}>
        <code>
          <Coloured code={shown} language={languageOf(name)} />
        </code>
      </pre>
      {rest > 0 && !isWhole && (
        <button type="button" className={css.more} onClick={() => setWhole(true)}>
          Show {amount(rest)} more lines
        </button>
      )}
    </figure>
  );
});

/** The first lines, and how many are left; all of them where only a few more would be left. */
export function headOf(text: string, most: number, spare: number): { head: string; rest: number } {
  let at = -1;
  for (let line = 0; line < most; line++) {
    at = text.indexOf("\n", at + 1);
    if (at < 0) return { head: text, rest: 0 };
  }
  const rest = countLines(text, at + 1);
  return rest <= spare ? { head: text, rest: 0 } : { head: text.slice(0, at), rest };
}

function countLines(text: string, from: number): number {
  let count = from < text.length ? 1 : 0;
  for (let at = text.indexOf("\n", from); at >= 0 && at + 1 < text.length; at = text.indexOf("\n", at + 1))
    count++;
  return count;
}

export function Coloured({
  code,
  language,
}: {
  readonly code: string;
  readonly language: string | undefined;
}) {
  const lines = useHighlight(code, language);
  return useMemo(() => (lines && lines.length > 0 ? paint(code, lines) : code), [code, lines]);
}

function paint(code: string, lines: Lines): ReactNode[] {
  const nodes: ReactNode[] = [];
  code.split("\n").forEach((text, at) => {
    if (at > 0) nodes.push("\n");
    // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name, and never move
    nodes.push(<Fragment key={at}>{paintLine(text, lines[at])}</Fragment>);
  });
  return nodes;
}

/** Neighbours without a colour of their own are one text. */
export function paintLine(line: string, pieces: readonly Piece[] | undefined): ReactNode {
  if (!pieces) return line;
  const nodes: ReactNode[] = [];
  let at = 0;
  let plain = "";
  for (const [length, kind] of pieces) {
    const text = line.slice(at, at + length);
    at += length;
    if (kind === "" || text.trim() === "") {
      plain += text;
      continue;
    }
    if (plain !== "") nodes.push(plain);
    plain = "";
    nodes.push(
      <span key={at} className={`code-${kind}`}>
        {text}
      </span>,
    );
  }
  nodes.push(plain + line.slice(at));
  return nodes;
}

/** Shows for a moment that it was done. */
export function CopyButton({ text, what }: { readonly text: string; readonly what: string }) {
  const [isDone, setDone] = useState(false);
  useEffect(() => {
    if (!isDone) return;
    const timer = setTimeout(() => setDone(false), 1500);
    return () => clearTimeout(timer);
  }, [isDone]);
  return (
    <IconButton
      label={`Copy ${what.toLowerCase()}`}
      className={css.copy}
      onClick={() => {
        void copyText(text, what);
        setDone(true);
      }}
    >
      {isDone ? <Check /> : <Copy />}
    </IconButton>
  );
}
