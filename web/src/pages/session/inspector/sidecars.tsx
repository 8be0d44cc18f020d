/** What lies beside the conversation: plans, kept files, states of files, tasks. */
import { useState } from "react";
import { bytes } from "../../../../../src/present/text/measure.ts";
import { copyText } from "../../../lib/clipboard.ts";
import { clean } from "../../../text/clean.ts";
import { useReading } from "../reading.ts";
import css from "./inspector.module.css";
import { Section } from "./section.tsx";

const SHOWN = 6;

export function Sidecars() {
  const { session } = useReading();
  const [isWhole, setWhole] = useState(false);
  // Checkpoints have their own list.
  const all = session.sidecars.filter(({ kind }) => kind !== "checkpoint");
  if (all.length === 0) return null;
  return (
    <Section title="Beside the conversation" count={all.length}>
      <ul className={css.list}>
        {all.slice(0, isWhole ? undefined : SHOWN).map(({ kind, name, path, bytes: size, detail }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two may have one path
          <li key={at} title={clean(detail ?? path)}>
            <button type="button" className="ellipsis" onClick={() => void copyText(path, "Path")}>
              {clean(name)}
            </button>
            <small>
              {kind}
              {size !== undefined && ` · ${bytes(size)}`}
            </small>
          </li>
        ))}
      </ul>
      {all.length > SHOWN && !isWhole && (
        <button type="button" className={css.more} onClick={() => setWhole(true)}>
          Show {all.length - SHOWN} more
        </button>
      )}
    </Section>
  );
}
