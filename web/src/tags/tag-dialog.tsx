/** The tags of several sessions at once: which all of them have, which only some, and which they are to have. */
import { useRef, useState } from "react";
import { amount, plural } from "../../../src/present/text/measure.ts";
import { line, titleOf } from "../lib/titles.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { TagField } from "./tag-field.tsx";
import { changeTagsAndTell, type Tagged, tagging } from "./tagging.ts";
import css from "./tags.module.css";
import { changeOf, hadOf } from "./tags-of-several.ts";

const close = (): void => tagging.set(undefined);

export function TagDialog({ sessions }: { readonly sessions: readonly Tagged[] }) {
  const field = useRef<HTMLDivElement>(null);
  const had = hadOf(sessions);
  /** What was decided here; the others stay as they are. */
  const [wanted, setWanted] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [isSaving, setSaving] = useState(false);
  const names = [...new Set([...had.keys(), ...wanted.keys()])].sort();
  const want = (tag: string, isOn: boolean): void => setWanted((before) => new Map(before).set(tag, isOn));
  const change = changeOf(had, sessions.length, wanted);
  const isChanged = change.add.length + change.remove.length > 0;
  const save = async (): Promise<void> => {
    setSaving(true);
    if (await changeTagsAndTell(sessions, change)) close();
    else setSaving(false);
  };
  const [first] = sessions;
  return (
    <Dialog
      title={sessions.length === 1 ? "Tags of the session" : `Tags of ${amount(sessions.length)} sessions`}
      description={
        sessions.length === 1 && first
          ? titleOf(first)
          : "They are kept by rethread; no file of an agent changes."
      }
      size="small"
      onClose={close}
      initialFocus={() => field.current?.querySelector("input") ?? null}
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button tone="primary" disabled={!isChanged || isSaving} onClick={() => void save()}>
            Save
          </Button>
        </>
      }
    >
      <div ref={field}>
        <TagField has={names} onAdd={(tag) => want(tag, true)} />
      </div>
      {names.length === 0 ? (
        <p className={css.none}>
          {sessions.length === 1 ? "It has no tags yet." : "None of them has a tag yet."}
        </p>
      ) : (
        <ul className={css.choices}>
          {names.map((tag) => (
            <TagChoice
              key={tag}
              tag={tag}
              had={had.get(tag)}
              of={sessions.length}
              wanted={wanted.get(tag)}
              onWant={(isOn) => want(tag, isOn)}
            />
          ))}
        </ul>
      )}
    </Dialog>
  );
}

function TagChoice({
  tag,
  had = 0,
  of,
  wanted,
  onWant,
}: {
  readonly tag: string;
  readonly had: number | undefined;
  readonly of: number;
  readonly wanted: boolean | undefined;
  readonly onWant: (isOn: boolean) => void;
}) {
  const isMixed = wanted === undefined && had > 0 && had < of;
  return (
    <li>
      <label>
        <input
          type="checkbox"
          checked={wanted ?? had === of}
          ref={(box) => {
            if (box) box.indeterminate = isMixed;
          }}
          onChange={(event) => onWant(event.target.checked)}
        />
        <span>{line(tag)}</span>
        {of > 1 && <small>{isMixed ? `${amount(had)} of ${plural(of, "session", "sessions")}` : ""}</small>}
      </label>
    </li>
  );
}
