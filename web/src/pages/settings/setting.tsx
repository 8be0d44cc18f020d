/** One setting of config.json: edited in place, checked by the server, and put back when it is refused. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import type { Answer } from "../../../../src/client/index.ts";
import { adviceOf } from "../../change/advice.ts";
import { api, keys } from "../../lib/api.ts";
import { Button } from "../../ui/button.tsx";
import { Badge } from "../../ui/marks.tsx";
import { Segmented } from "../../ui/segmented.tsx";
import { describe } from "../../ui/states.tsx";
import { Switch } from "../../ui/switch.tsx";
import { toast } from "../../ui/toasts.tsx";
import { Row } from "./row.tsx";
import css from "./settings.module.css";
import { asTyped, inWords, type SettingWords, wordsOf } from "./words.ts";

export type Setting = Answer<"config">["settings"][number];

export function SettingRow({ setting, isLocked }: { readonly setting: Setting; readonly isLocked: boolean }) {
  const { name, value, from, variable } = setting;
  const words = wordsOf(name);
  const client = useQueryClient();
  const save = useMutation({
    mutationFn: (text: string) => api.setSetting(name, text),
    onSuccess(answer) {
      client.setQueryData(keys.settings, answer);
      toast({ text: `${words.label}: saved` });
    },
  });
  const isFixed = isLocked || from === "variable";
  const error = save.error ? describe(save.error) : undefined;
  return (
    <Row
      label={words.label}
      isStacked={words.entry.as === "json"}
      badge={
        from === "file" ? <Badge>changed</Badge> : from === "variable" ? <Badge>fixed</Badge> : undefined
      }
      about={
        <>
          {words.about}{" "}
          {from === "variable" ? (
            <>
              Set to {inWords(name, value)} by the variable <code>{variable}</code>, which wins over this
              page.
            </>
          ) : (
            from === "file" &&
            setting.default !== null && <>The default is {inWords(name, setting.default)}.</>
          )}
        </>
      }
      {...(error && {
        error: (
          <>
            {error.message}. {adviceOf(save.error).words} <code>{error.code}</code>
          </>
        ),
      })}
    >
      <Entry
        // What the server has is what the form starts from again.
        key={JSON.stringify(value)}
        setting={setting}
        words={words}
        isFixed={isFixed}
        isSaving={save.isPending}
        save={(text) => save.mutate(text)}
      />
    </Row>
  );
}

interface EntryProps {
  readonly setting: Setting;
  readonly words: SettingWords;
  readonly isFixed: boolean;
  readonly isSaving: boolean;
  readonly save: (text: string) => void;
}

function Entry(props: EntryProps) {
  const { setting, words, isFixed, isSaving, save } = props;
  const { entry, label } = words;
  if (entry.as === "switch")
    return (
      <Switch
        label={label}
        isOn={setting.value === true}
        isDisabled={isFixed || isSaving}
        onChange={(isOn) => save(String(isOn))}
      />
    );
  if (entry.as === "choice")
    return (
      <Segmented
        label={label}
        choices={entry.choices}
        value={String(setting.value)}
        isDisabled={isFixed || isSaving}
        onChoose={save}
      />
    );
  return <TypedEntry {...props} />;
}

function TypedEntry({ setting, words, isFixed, isSaving, save }: EntryProps) {
  const { entry, label } = words;
  const id = useId();
  const kept = asTyped(setting.name, setting.value);
  const [text, setText] = useState(kept);
  const isChanged = text.trim() !== kept.trim();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isChanged) save(text.trim() === "" && entry.as === "json" ? "null" : text.trim());
  };
  const buttons = isChanged && (
    <>
      <Button type="submit" tone="primary" size="small" disabled={isSaving}>
        Save
      </Button>
      <Button size="small" onClick={() => setText(kept)}>
        Cancel
      </Button>
    </>
  );
  if (entry.as === "json")
    return (
      <form className={css.json} onSubmit={submit}>
        <textarea
          id={id}
          className={css.textarea}
          aria-label={label}
          rows={text.trim() === "" ? 3 : Math.min(16, text.split("\n").length + 1)}
          spellCheck={false}
          placeholder="No prices"
          value={text}
          disabled={isFixed}
          onChange={(event) => setText(event.target.value)}
        />
        <div className={css.buttons}>
          {text.trim() === "" && !isFixed && entry.example !== "" && (
            <Button size="small" onClick={() => setText(entry.example)}>
              Start from an example
            </Button>
          )}
          {buttons}
        </div>
      </form>
    );
  return (
    <form className={css.typed} onSubmit={submit}>
      <input
        id={id}
        className={css.input}
        aria-label={label}
        placeholder={entry.as === "text" ? entry.example : ""}
        value={text}
        disabled={isFixed}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape" || !isChanged) return;
          event.preventDefault();
          setText(kept);
        }}
      />
      {entry.as === "text" && entry.unit !== undefined && <span className="muted">{entry.unit}</span>}
      {buttons}
    </form>
  );
}
