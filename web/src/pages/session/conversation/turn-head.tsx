/** The head of a turn: its number, when it was, what can be done from here; and what was asked. */
import { Braces, Link2, Paperclip } from "lucide-react";
import { memo, type ReactNode, useState } from "react";
import { bytes, plural } from "../../../../../src/present/text/measure.ts";
import { copyText } from "../../../lib/clipboard.ts";
import { useNow } from "../../../lib/use-now.ts";
import { clean } from "../../../text/clean.ts";
import { IconButton } from "../../../ui/button.tsx";
import { ImageStrip } from "../images/image-strip.tsx";
import { useReading } from "../reading.ts";
import { tokensOf, tokensText, useCountedTokens } from "../turn-tokens.ts";
import type { OutlineTurn, Turn } from "../types.ts";
import { lasted, when } from "../when.ts";
import css from "./turn-head.module.css";

export const TurnHead = memo(function TurnHead({
  outline,
  full,
}: {
  readonly outline: OutlineTurn;
  readonly full: Turn | undefined;
}) {
  return (
    <>
      <header className={css.head}>
        <h2>Turn {outline.index}</h2>
        <Actions index={outline.index} full={full} />
        <Facts turn={outline} />
      </header>
      <Prompt text={full?.user ?? outline.prompt} isWhole={full !== undefined} cut={full?.cut}>
        {full && <Attachments turn={full} />}
      </Prompt>
    </>
  );
});

function Attachments({ turn: { index, attachments } }: { readonly turn: Turn }) {
  const images = attachments.flatMap(({ image, name }) => (image ? [{ name, ...image }] : []));
  const others = attachments.filter(({ image }) => !image);
  return (
    <>
      {images.length > 0 && <ImageStrip images={images} about={`Image attached to turn ${index}`} />}
      {others.length > 0 && (
        <ul className={css.attachments} aria-label="Attachments">
          {others.map(({ kind, name, path }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same file may be attached twice
            <li key={at} title={clean(path ?? name)}>
              <Paperclip aria-hidden="true" />
              <span className="ellipsis">{clean(name)}</span>
              {kind !== "file" && <span className="muted">{clean(kind)}</span>}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Facts({ turn }: { readonly turn: OutlineTurn }) {
  const now = useNow();
  const time = lasted(turn.startedAt, turn.endedAt);
  const tokens = tokensOf(turn, useCountedTokens());
  return (
    <span className={css.facts}>
      {turn.startedAt && <time dateTime={turn.startedAt}>{when(turn.startedAt, now)}</time>}
      <span title={tokens.isCounted ? "As the model would receive it" : "An estimate from its length"}>
        {tokensText(tokens)}
      </span>
      {turn.toolCalls > 0 && <span>{plural(turn.toolCalls, "call", "calls")}</span>}
      {time !== "" && <span>{time}</span>}
    </span>
  );
}

function Actions({ index, full }: { readonly index: number; readonly full: Turn | undefined }) {
  const { key, parts, showRecord } = useReading();
  const origin = full?.origin;
  return (
    <span className={css.actions}>
      {parts.TurnActions && <parts.TurnActions index={index} />}
      <IconButton label="Copy a link to this turn" onClick={() => void copyText(linkTo(key, index), "Link")}>
        <Link2 />
      </IconButton>
      {origin && (
        <IconButton label="Raw record" onClick={() => showRecord(origin, `Prompt of turn ${index}`)}>
          <Braces />
        </IconButton>
      )}
    </span>
  );
}

export const linkTo = (key: string, turn: number): string =>
  `${location.origin}/s/${encodeURIComponent(key)}?turn=${turn}`;

const LONG_LINES = 14;
const LONG_CHARS = 1600;

function Prompt({
  text,
  isWhole,
  cut,
  children,
}: {
  readonly text: string;
  readonly isWhole: boolean;
  readonly cut: number | undefined;
  /** What goes with the words. */
  readonly children?: ReactNode;
}) {
  const [isOpen, setOpen] = useState(false);
  const shown = clean(text).trim();
  const isLong = shown.length > LONG_CHARS || shown.split("\n", LONG_LINES + 1).length > LONG_LINES;
  return (
    <div className={css.prompt} data-folded={(isLong && !isOpen) || undefined}>
      <div className={css.words}>
        {shown === "" ? <span className="muted">No words</span> : shown.slice(0, isOpen ? undefined : 6000)}
        {!isWhole && shown.length > 190 && "…"}
      </div>
      {isLong && (
        <button type="button" className={css.more} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? "Show less" : `Show all of it (${plural(shown.length, "character", "characters")})`}
        </button>
      )}
      {cut !== undefined && <p className="muted">{bytes(cut)} of this prompt are not shown</p>}
      {children}
    </div>
  );
}
