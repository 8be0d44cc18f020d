/** The tags of a session as small chips: in rows to read, in the inspector to follow and to remove. */
import { Link } from "@tanstack/react-router";
import { X } from "lucide-react";
import { line } from "../lib/titles.ts";
import css from "./tags.module.css";

/** A row has room for so many; the others are counted. */
export function RowTags({ tags, most = 2 }: { readonly tags: readonly string[]; readonly most?: number }) {
  if (tags.length === 0) return null;
  const more = tags.length - most;
  return (
    <span className={css.row} title={line(`Tagged ${tags.join(", ")}`)}>
      {tags.slice(0, most).map((tag) => (
        <span key={tag} className={css.tag}>
          {line(tag)}
        </span>
      ))}
      {more > 0 && <span className={css.more}>+{more}</span>}
    </span>
  );
}

export function TagList({
  tags,
  onRemove,
}: {
  readonly tags: readonly string[];
  readonly onRemove: (tag: string) => void;
}) {
  if (tags.length === 0) return null;
  return (
    <ul className={css.list}>
      {tags.map((tag) => (
        <li key={tag} className={css.chip}>
          <Link to="/sessions" search={{ tag }} title={`Sessions tagged ${line(tag)}`}>
            {line(tag)}
          </Link>
          <button type="button" aria-label={`Remove the tag ${line(tag)}`} onClick={() => onRemove(tag)}>
            <X aria-hidden="true" />
          </button>
        </li>
      ))}
    </ul>
  );
}
