/** One item, to be read: typeset, with where it comes from and how often it is of use. */
import { Link } from "@tanstack/react-router";
import { ArrowLeft, Copy, Pencil, Trash2 } from "lucide-react";
import { isOwn } from "../../../../src/model/board/item.ts";
import { plural } from "../../../../src/present/text/measure.ts";
import { copyText } from "../../lib/clipboard.ts";
import { sourceOf } from "../../lib/sources.ts";
import { clean } from "../../text/clean.ts";
import { Markdown } from "../../text/markdown.tsx";
import { Button, IconButton } from "../../ui/button.tsx";
import { Badge } from "../../ui/marks.tsx";
import { Time } from "../../ui/time.tsx";
import css from "./board.module.css";
import { branchLabel } from "./board-list.tsx";
import { Evidence } from "./evidence.tsx";
import type { Item } from "./items.ts";
import { useRemove } from "./use-board.ts";

/** Who wrote it, for people. */
const WRITERS: Readonly<Record<string, string>> = {
  user: "written by a person",
  agent: "written by an agent",
  sessions: "made from sessions",
};

export function ItemView({
  item,
  isReadOnly,
  onEdit,
  onGone,
}: {
  readonly item: Item;
  readonly isReadOnly: boolean;
  readonly onEdit: () => void;
  readonly onGone: () => void;
}) {
  const remove = useRemove();
  const own = isOwn(item);
  return (
    <article className={css.reading} tabIndex={-1} data-reading aria-label={item.name}>
      <header className={css.head}>
        <Link
          to="/board"
          search={({ item: _, ...rest }) => rest}
          className={css.back}
          aria-label="Back to the list"
        >
          <ArrowLeft />
        </Link>
        <div className={css.headings}>
          <h2>{clean(item.name)}</h2>
          <p>
            <span title={item.repository}>{clean(item.repository)}</span> · {clean(branchLabel(item.branch))}
          </p>
        </div>
        <div className={css.actions}>
          <IconButton label="Copy the text" onClick={() => void copyText(item.content, "Text")}>
            <Copy />
          </IconButton>
          {!isReadOnly && own && (
            <IconButton
              label="Remove"
              disabled={remove.isPending}
              onClick={() => remove.mutate([item], { onSuccess: onGone })}
            >
              <Trash2 />
            </IconButton>
          )}
          {!isReadOnly && (
            <Button icon={<Pencil />} keys="e" onClick={onEdit}>
              {own ? "Edit" : "Edit as your own"}
            </Button>
          )}
        </div>
      </header>
      <div className={css.body}>
        <div className={css.column}>
          {item.description !== "" && <p className={css.lead}>{clean(item.description)}</p>}
          <p className={css.facts}>
            {!own && <Badge tone="accent">kept by {sourceOf(item.keptBy).label}</Badge>}
            <span>{WRITERS[item.source] ?? `by ${clean(item.source)}`}</span>
            {item.updatedAt !== null && (
              <span>
                changed <Time at={item.updatedAt} />
              </span>
            )}
            <span>
              read {plural(item.readCount, "time", "times")}, used {plural(item.useCount, "time", "times")}
            </span>
          </p>
          <Markdown text={item.content} />
          {item.evidence.length > 0 && (
            <section className={css.sources}>
              <h3>Where it comes from</h3>
              <Evidence evidence={item.evidence} />
            </section>
          )}
        </div>
      </div>
    </article>
  );
}
