/** Writes an item, new or changed; what the board would refuse is said while one types. */
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useDeferredValue, useId, useMemo, useState } from "react";
import {
  type BoardField,
  findBoardFaults,
  lengthOf,
  toBoardText,
} from "../../../../src/model/board/faults.ts";
import { BOARD_LIMITS, EVERY_BRANCH, isOwn } from "../../../../src/model/board/item.ts";
import { amount } from "../../../../src/present/text/measure.ts";
import { adviceOf } from "../../change/advice.ts";
import { api } from "../../lib/api.ts";
import { sourceOf } from "../../lib/sources.ts";
import { Markdown } from "../../text/markdown.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field, TextField } from "../../ui/field.tsx";
import { Segmented } from "../../ui/segmented.tsx";
import { describe } from "../../ui/states.tsx";
import css from "./dialogs.module.css";
import type { Item } from "./items.ts";
import { BranchField, RepositoryField } from "./place-fields.tsx";
import { tellDone } from "./use-board.ts";

interface Place {
  readonly repository?: string;
  readonly branch?: string;
}

const LIMITED = ["name", "description", "content"] as const;

export function ItemDialog({
  item,
  place,
  items,
  onClose,
  onSaved,
}: {
  /** The one that is changed. */
  readonly item: Item | undefined;
  /** Where a new one goes, as far as that is known. */
  readonly place: Place;
  /** All there are. */
  readonly items: readonly Item[];
  readonly onClose: () => void;
  readonly onSaved: (item: Item) => void;
}) {
  const [draft, setDraft] = useState(() => ({
    repository: item?.repository ?? place.repository ?? "",
    branch: item?.branch ?? place.branch ?? "",
    name: item?.name ?? "",
    description: item?.description ?? "",
    content: item?.content ?? "",
  }));
  const [isTried, setTried] = useState(false);
  const [view, setView] = useState<"write" | "read">("write");
  const form = useId();
  const set = (change: Partial<typeof draft>): void => {
    setDraft((before) => ({ ...before, ...change }));
    save.reset();
  };
  const shownDraft = useDeferredValue(draft);
  const faults = useMemo(() => {
    const { name, description, content } = toBoardText(shownDraft);
    // What is there already may be called as another program allows.
    return findBoardFaults(
      item
        ? { description, content }
        : { ...shownDraft, branch: shownDraft.branch || EVERY_BRANCH, name, description, content },
    );
  }, [shownDraft, item]);
  /** That something is missing is said once somebody wants to go on without it. */
  const faultOf = (field: BoardField): string | undefined => {
    const fault = faults.find((each) => each.field === field);
    return fault && (isTried || draft[field].trim() !== "") ? fault.message : undefined;
  };
  const isTaken =
    !item &&
    items.some(
      (each) =>
        isOwn(each) &&
        each.name === draft.name.trim() &&
        each.branch === (draft.branch || EVERY_BRANCH) &&
        each.repository.toLowerCase() === draft.repository.trim().toLowerCase(),
    );
  const save = useMutation({
    mutationFn: () => {
      const { name, description, content } = draft;
      if (!item)
        return api.addBoardItem({
          repository: draft.repository.trim(),
          branch: draft.branch.trim() || EVERY_BRANCH,
          name,
          content,
          ...(description.trim() !== "" && { description }),
        });
      const { repository, branch, source, updatedAt } = item;
      return api.editBoardItem({
        ...{ repository, branch, name, description, content, itemSource: source },
        ...(updatedAt !== null && { updatedAt }),
      });
    },
    onSuccess: async ({ item: saved, operation }) => {
      await tellDone(item ? `Changed ${saved.name}` : `Added ${saved.name}`, operation);
      onSaved(saved);
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    const [fault] = faults;
    if (!fault && !isTaken) save.mutate();
    else document.getElementById(`${form}-${fault?.field ?? "name"}`)?.focus();
  };
  const limitOf = (field: (typeof LIMITED)[number]): string =>
    `${amount(lengthOf(draft[field]))} of ${amount(BOARD_LIMITS[field])}`;
  return (
    <Dialog
      title={item ? (isOwn(item) ? `Edit ${item.name}` : `Edit ${item.name} as your own`) : "New board item"}
      description={
        item && !isOwn(item)
          ? `${sourceOf(item.keptBy).label} keeps this item. What you save takes its place here; its own stays as it is.`
          : item
            ? `${item.repository}, ${item.branch === EVERY_BRANCH ? "every branch" : item.branch}`
            : undefined
      }
      size="large"
      onClose={onClose}
      initialFocus={() =>
        document.getElementById(`${form}-${item ? "content" : draft.repository ? "name" : "repository"}`)
      }
      footer={
        <>
          {save.error !== null && (
            <p className={css.refusal} role="alert">
              {describe(save.error).message} <span>{adviceOf(save.error).words}</span>
            </p>
          )}
          <Button onClick={onClose}>Cancel</Button>
          <Button tone="primary" type="submit" form={form} disabled={save.isPending}>
            {item ? "Save" : "Add"}
          </Button>
        </>
      }
    >
      <form id={form} className={css.form} onSubmit={submit} noValidate>
        {!item && (
          <div className={css.pair}>
            <RepositoryField
              id={`${form}-repository`}
              value={draft.repository}
              items={items}
              error={faultOf("repository")}
              onValue={(repository) => set({ repository })}
            />
            <BranchField
              id={`${form}-branch`}
              value={draft.branch}
              repository={draft.repository}
              items={items}
              error={faultOf("branch")}
              onValue={(branch) => set({ branch })}
            />
          </div>
        )}
        {!item && (
          <TextField
            id={`${form}-name`}
            label={<Counted label="Name" count={limitOf("name")} />}
            placeholder="build-command"
            value={draft.name}
            error={isTaken ? "This board already has an item of that name" : faultOf("name")}
            hint="Short: letters, digits, dots, - and _"
            spellCheck={false}
            autoComplete="off"
            onChange={({ target }) => set({ name: target.value })}
          />
        )}
        <TextField
          id={`${form}-description`}
          label={<Counted label="Description" count={limitOf("description")} />}
          placeholder="Taken from the first line of the content"
          value={draft.description}
          error={faultOf("description")}
          onChange={({ target }) => set({ description: target.value })}
        />
        <Field
          id={`${form}-content`}
          label={<Counted label="Content, in Markdown" count={limitOf("content")} />}
          error={faultOf("content")}
          hint="Keys, passwords and tokens are refused: say where they are kept instead."
        >
          {(ids) =>
            view === "write" ? (
              <textarea
                {...ids}
                className={css.text}
                value={draft.content}
                aria-invalid={faultOf("content") !== undefined}
                onChange={({ target }) => set({ content: target.value })}
                onKeyDown={(event) => {
                  if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) submit(event);
                }}
              />
            ) : (
              <div className={css.preview}>
                <Markdown text={draft.content} />
              </div>
            )
          }
        </Field>
        <div className={css.views}>
          <Segmented
            label="How the content is shown"
            choices={[
              { value: "write", label: "Write" },
              { value: "read", label: "Preview" },
            ]}
            value={view}
            onChoose={setView}
          />
        </div>
      </form>
    </Dialog>
  );
}

/** A label with how much of the room is used. */
const Counted = ({ label, count }: { readonly label: string; readonly count: string }) => (
  <span className={css.counted}>
    <span>{label}</span>
    <span className={css.count}>{count}</span>
  </span>
);
