/** What a call was given and what it gave back, as far as it is wanted. */
import { useQuery } from "@tanstack/react-query";
import { Braces } from "lucide-react";
import { useState } from "react";
import { bytes, chars } from "../../../../../src/present/text/measure.ts";
import { inputText, provenanceOf } from "../../../../../src/present/text/parts.ts";
import { api } from "../../../lib/api.ts";
import { clean } from "../../../text/clean.ts";
import { Coloured, CopyButton, headOf } from "../../../text/code.tsx";
import { Button } from "../../../ui/button.tsx";
import { useReading } from "../reading.ts";
import { type Part, type PartOf, toTurnsPage } from "../types.ts";
import type { FileEdit } from "./edits-of.ts";
import { Diffs, Images } from "./tool-call.tsx";
import css from "./tool-details.module.css";
import { lookOf, wordsOf } from "./tool-look.ts";
import { turnKey } from "./turn-pages.ts";

export function ToolDetails({
  turn,
  part,
  edits,
}: {
  readonly turn: number;
  readonly part: PartOf<"tool">;
  readonly edits: readonly FileEdit[] | undefined;
}) {
  const { showRecord } = useReading();
  const about = [clean(part.name), clean(provenanceOf(part))].filter((words) => words !== "").join(" · ");
  const { resultOrigin } = part;
  return (
    <div className={css.details}>
      {edits ? <Diffs edits={edits} /> : <Arguments part={part} />}
      <Result turn={turn} part={part} />
      {part.images && <Images images={part.images} label={lookOf(part).label} />}
      <div className={css.foot}>
        <span className="ellipsis">{about}</span>
        <Button
          tone="ghost"
          size="small"
          icon={<Braces />}
          onClick={() => showRecord(part.origin, `Call of ${part.name}`)}
        >
          Raw call
        </Button>
        {resultOrigin && (
          <Button
            tone="ghost"
            size="small"
            icon={<Braces />}
            onClick={() => showRecord(resultOrigin, `Result of ${part.name}`)}
          >
            Raw result
          </Button>
        )}
      </div>
    </div>
  );
}

function Arguments({ part }: { readonly part: PartOf<"tool"> }) {
  const command = part.act?.command;
  const text = clean(command ?? inputText(part.input));
  if (text.trim() === "" || text === "{}") return null;
  return (
    <div className={css.section}>
      <span className="sr-only">Arguments</span>
      <Long
        text={text}
        what={command === undefined ? "Arguments" : "Command"}
        {...(command !== undefined && { language: "bash" })}
      />
    </div>
  );
}

function Result({ turn, part }: { readonly turn: number; readonly part: PartOf<"tool"> }) {
  const { key } = useReading();
  const [isWanted, setWanted] = useState(false);
  const isShort = (part.resultSize ?? 0) > (part.result?.length ?? 0);
  const whole = useQuery({
    queryKey: turnKey(key, turn),
    queryFn: async ({ signal }) =>
      toTurnsPage(await api.turns(key, { from: turn, to: turn, whole: true }, { signal })),
    enabled: isWanted && isShort,
    select: (page) => findCall(page.turns[0]?.parts ?? [], part.callId),
  });
  const { cut } = whole.data ?? part;
  const text = wordsOf(whole.data ?? part);
  if (part.status === "pending") return <p className={css.none}>No result was recorded.</p>;
  if (text.trim() === "" && part.images) return null;
  if (text.trim() === "") return <p className={css.none}>The result is empty.</p>;
  return (
    <div className={css.section} data-failed={part.status === "failed" || undefined}>
      <span className="sr-only">Result</span>
      <Long text={clean(text)} what="Result" />
      {isShort && whole.data === undefined && (
        <button
          type="button"
          className={css.more}
          disabled={whole.isFetching}
          onClick={() => setWanted(true)}
        >
          {whole.error
            ? `${whole.error.message}. Try again`
            : `Show all of it (${chars(part.resultSize ?? 0)})`}
        </button>
      )}
      {whole.data && cut !== undefined && (
        <p className={css.none}>{bytes(cut)} are not shown: the record is very large.</p>
      )}
    </div>
  );
}

function findCall(parts: readonly Part[], callId: string): PartOf<"tool"> | undefined {
  for (const part of parts) {
    if (part.kind !== "tool") continue;
    if (part.callId === callId) return part;
    const below = part.children && findCall(part.children, callId);
    if (below) return below;
  }
  return undefined;
}

const SHOWN_LINES = 40;
const SPARE_LINES = 10;
/** One line may be a whole minified file. */
const SHOWN_CHARS = 12_000;

function Long({
  text,
  what,
  language,
}: {
  readonly text: string;
  readonly what: string;
  readonly language?: string;
}) {
  const [isWhole, setWhole] = useState(false);
  const { head } = headOf(text, SHOWN_LINES, SPARE_LINES);
  const shown = isWhole ? text : head.slice(0, SHOWN_CHARS);
  const rest = text.length - shown.length;
  return (
    <div className={css.long}>
      <div className={css.copy}>
        <CopyButton text={text} what={what} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: wide output is scrolled with the arrow keys */}
      <pre tabIndex={0}>
        <Coloured code={shown} language={language} />
      </pre>
      {rest > 0 && (
        <button type="button" className={css.more} onClick={() => setWhole(true)}>
          Show {chars(rest)} more
        </button>
      )}
    </div>
  );
}
