/** What can be done with the selected sessions, at the foot of the list. */
import { ArrowRightLeft, Download, FolderInput, Tag, Trash2, X } from "lucide-react";
import { amount } from "../../../../src/present/text/measure.ts";
import { READ_ONLY, useKnown, useRefusals } from "../../change/refusals.ts";
import { openTagging } from "../../tags/tagging.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Menu } from "../../ui/menu.tsx";
import { changeAll, download, exportChoices } from "./list-actions.ts";
import type { Selection } from "./selection.ts";
import css from "./selection-bar.module.css";

export interface SelectionBarProps {
  readonly selection: Selection;
  readonly total: number;
  readonly onSelectAll: () => void;
  readonly onCompare: () => void;
  readonly onClear: () => void;
}

export function SelectionBar({ selection, total, onSelectAll, onCompare, onClear }: SelectionBarProps) {
  const { sessions } = selection;
  const refuse = useRefusals();
  const { isReadOnly } = useKnown();
  if (sessions.length === 0) return null;
  return (
    <section className={css.bar} aria-label="Selected sessions">
      <span className={css.count} role="status">
        {amount(sessions.length)} selected
      </span>
      {sessions.length < total && (
        <button type="button" className={css.all} onClick={onSelectAll}>
          Select all {amount(total)}
        </button>
      )}
      <span className={css.space} />
      {sessions.length === 2 && (
        <Button size="small" icon={<ArrowRightLeft />} onClick={onCompare}>
          Compare
        </Button>
      )}
      <Button
        size="small"
        icon={<FolderInput />}
        keys="m"
        refusal={refuse("move", sessions)}
        onClick={() => changeAll("move", sessions)}
      >
        Move…
      </Button>
      <Menu
        trigger={
          <Button size="small" icon={<Download />}>
            Export
          </Button>
        }
        items={exportChoices(sessions).map((choice) => ({
          label: choice.label,
          run: () => download(sessions, choice),
        }))}
      />
      <Button
        size="small"
        icon={<Tag />}
        keys="t"
        refusal={isReadOnly ? READ_ONLY : undefined}
        onClick={() => openTagging(sessions)}
      >
        Tag…
      </Button>
      <Button
        size="small"
        icon={<Trash2 />}
        refusal={refuse("delete", sessions)}
        onClick={() => changeAll("delete", sessions)}
      >
        Delete…
      </Button>
      <IconButton label="Select none" keys="escape" className={css.close ?? ""} onClick={onClear}>
        <X />
      </IconButton>
    </section>
  );
}
