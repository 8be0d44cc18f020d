/** Where a message is written, with the choices for it: agent, folder, model, whether tools may run. */
import { useQuery } from "@tanstack/react-query";
import { ArrowUp, Folder, Sparkles, Square, Wrench } from "lucide-react";
import {
  type KeyboardEvent,
  type Ref,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { api, keys } from "../../lib/api.ts";
import { sourceOf } from "../../lib/sources.ts";
import { IconButton } from "../../ui/button.tsx";
import { Segmented } from "../../ui/segmented.tsx";
import { Suggest } from "../../ui/suggest.tsx";
import { Switch } from "../../ui/switch.tsx";
import { type Choices, keepChoices, readChoices } from "./choices.ts";
import css from "./composer.module.css";

export interface Draft extends Choices {
  readonly text: string;
  readonly folder: string;
}

export interface ComposerHandle {
  focus(): void;
}

const TALLEST = 280;

export function Composer({
  ref,
  agent,
  agents = [],
  onAgent = () => undefined,
  folder: given,
  isFolderFixed,
  isAnswering,
  isBusy,
  refusal,
  model: modelOf,
  onSend,
  onStop,
}: {
  readonly ref?: Ref<ComposerHandle>;
  /** The source whose program is talked to. */
  readonly agent: string;
  /** Those that can be chosen, where there is a choice. */
  readonly agents?: readonly string[];
  readonly onAgent?: (agent: string) => void;
  /** Where it begins, or is. */
  readonly folder: string | undefined;
  readonly isFolderFixed: boolean;
  readonly isAnswering: boolean;
  /** Sent, and not opened yet. */
  readonly isBusy: boolean;
  /** Why nothing can be sent here. */
  readonly refusal?: string | undefined;
  /** Of the conversation, where it has one. */
  readonly model?: string | undefined;
  /** False keeps the text, because it was not sent. */
  readonly onSend: (draft: Draft) => Promise<boolean>;
  readonly onStop: () => void;
}) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState("");
  const [chosen, setChoices] = useState<Choices & { readonly of: string }>();
  const choices = chosen?.of === agent ? chosen : readChoices(agent);
  const [typed, setTyped] = useState<string>();
  const model = choices.model || modelOf || "";
  const folder = isFolderFixed ? (given ?? "") : (typed ?? given ?? "");
  useImperativeHandle(ref, () => ({ focus: () => field.current?.focus() }));
  // biome-ignore lint/correctness/useExhaustiveDependencies: as tall as what is written in it
  useLayoutEffect(() => {
    const { current } = field;
    if (!current) return;
    current.style.height = "auto";
    current.style.height = `${Math.min(TALLEST, current.scrollHeight)}px`;
  }, [text]);

  const choose = (some: Partial<Choices>): void => {
    const next = { ...choices, ...some };
    setChoices({ ...next, of: agent });
    keepChoices(agent, next);
  };
  const canSend = text.trim() !== "" && !isAnswering && !isBusy && refusal === undefined;
  const send = async (): Promise<void> => {
    if (!canSend) return;
    const kept = text;
    setText("");
    if (!(await onSend({ text: kept, folder, model, allowsTools: choices.allowsTools })))
      setText((now) => (now === "" ? kept : now));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    void send();
  };
  return (
    <form
      className={css.composer}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <div className={css.box}>
        <textarea
          ref={field}
          rows={1}
          value={text}
          disabled={refusal !== undefined}
          placeholder={refusal ?? `Ask ${sourceOf(agent).short}`}
          aria-label="Message"
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <div className={css.choices}>
          {agents.length > 1 && (
            <Segmented
              label="Agent"
              choices={agents.map((source) => ({ value: source, label: sourceOf(source).short }))}
              value={agent}
              onChoose={onAgent}
            />
          )}
          <span className={css.folder}>
            <Folder aria-hidden="true" />
            {isFolderFixed ? (
              <span className="ellipsis" title={folder}>
                {folder}
              </span>
            ) : (
              <FolderChoice value={folder} onChange={setTyped} />
            )}
          </span>
          <span className={css.model}>
            <Sparkles aria-hidden="true" />
            <ModelChoice agent={agent} value={model} onChange={(next) => choose({ model: next })} />
          </span>
          <span className={css.tools} data-on={choices.allowsTools || undefined}>
            <Wrench aria-hidden="true" />
            <Switch
              label="Let tools run without asking"
              isOn={choices.allowsTools}
              onChange={(allowsTools) => choose({ allowsTools })}
            />
            {choices.allowsTools ? "Tools run without asking" : "Tools that need permission are refused"}
          </span>
          <span className={css.spring} />
          {isAnswering ? (
            <IconButton label="Stop the answer" keys="escape" className={css.send} onClick={onStop}>
              <Square />
            </IconButton>
          ) : (
            <IconButton type="submit" label="Send" keys="enter" className={css.send} disabled={!canSend}>
              <ArrowUp />
            </IconButton>
          )}
        </div>
      </div>
    </form>
  );
}

interface ChoiceProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function FolderChoice({ value, onChange }: ChoiceProps) {
  return (
    <Choice
      label="Folder"
      placeholder="The server’s own folder"
      known={useFolders()}
      value={value}
      onChange={onChange}
    />
  );
}

/** A text that is among the known ones was picked, so the others are offered as well. */
function Choice({
  label,
  placeholder,
  known,
  value,
  onChange,
}: ChoiceProps & {
  readonly label: string;
  readonly placeholder: string;
  readonly known: readonly string[];
}) {
  const words = known.includes(value) ? "" : value.trim().toLowerCase();
  return (
    <Suggest
      label={label}
      placeholder={placeholder}
      side="top"
      size="small"
      value={value}
      onChange={onChange}
      items={known.filter((each) => each.toLowerCase().includes(words))}
      toText={(each) => each}
    >
      {(each) => each}
    </Suggest>
  );
}

/** Folders that are there, the one used last first. */
export function useFolders(): readonly string[] {
  const { data } = useQuery({
    queryKey: keys.workspaces,
    queryFn: ({ signal }) => api.workspaces({ signal }),
  });
  return useMemo(
    () => [
      ...new Set(
        (data?.workspaces ?? [])
          .filter(({ kind, exists }) => kind === "folder" && exists === true)
          .flatMap(({ folder }) => folder ?? []),
      ),
    ],
    [data],
  );
}

function ModelChoice({ agent, value, onChange }: ChoiceProps & { readonly agent: string }) {
  const query = { source: agent, limit: 1, owners: false, facets: true };
  const { data } = useQuery({
    queryKey: keys.sessions(query),
    queryFn: ({ signal }) => api.sessions(query, { signal }),
  });
  const models = data?.facets?.model.map((each) => each.value) ?? [];
  return (
    <Choice label="Model" placeholder="Default model" known={models} value={value} onChange={onChange} />
  );
}
