/** A part of a turn in the preview: what was said, and of each tool call what it did and where it matched. */
import type { Part } from "../../../../src/model/session/turns.ts";
import { editGist, gistOf, STATUS_MARKS } from "../../../../src/present/text/parts.ts";
import { line } from "../../lib/titles.ts";
import { clean } from "../../text/clean.ts";
import { Markdown } from "../../text/markdown.tsx";
import css from "./preview.module.css";

/** Around what matched, in characters. */
const AROUND = 400;

export function PreviewPart({ part, words }: { readonly part: Part; readonly words: readonly string[] }) {
  switch (part.kind) {
    case "text":
      return <Markdown text={part.text} className={css.said ?? ""} />;
    case "thinking":
      return matches(part.text, words) ? (
        <div className={css.thinking}>{clean(around(part.text, words))}</div>
      ) : null;
    case "tool": {
      const found = [inputOf(part.input), part.result ?? ""].filter((text) => matches(text, words));
      return (
        <div className={css.tool}>
          <p data-status={part.status}>
            <span aria-hidden="true">{STATUS_MARKS[part.status]}</span> <b>{line(part.name)}</b>{" "}
            <code>{gistOf(part, undefined)}</code>
          </p>
          {found.map((text, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: what went in, then what came out
            <pre key={at}>{clean(around(text, words))}</pre>
          ))}
        </div>
      );
    }
    case "edit":
      return (
        <p className={css.tool}>
          <b>Edited</b> <code>{editGist(part, undefined)}</code>
        </p>
      );
    case "checkpoint":
      return <div className={css.thinking}>{clean(around(part.summary, words))}</div>;
    case "notice":
      return <p className={css.thinking}>{clean(part.text)}</p>;
    default:
      return null;
  }
}

const inputOf = (input: unknown): string =>
  typeof input === "string" ? input : (JSON.stringify(input, null, 2) ?? "");

const placeIn = (text: string, words: readonly string[]): number => {
  const lower = text.toLowerCase();
  const places = words.map((word) => lower.indexOf(word)).filter((at) => at >= 0);
  return places.length > 0 ? Math.min(...places) : -1;
};

const matches = (text: string, words: readonly string[]): boolean => placeIn(text, words) >= 0;

/** The piece of a long text that has the words. */
function around(text: string, words: readonly string[]): string {
  const at = Math.max(0, placeIn(text, words));
  const [from, to] = [Math.max(0, at - AROUND), Math.min(text.length, at + 2 * AROUND)];
  return `${from > 0 ? "…" : ""}${text.slice(from, to).trim()}${to < text.length ? "…" : ""}`;
}
