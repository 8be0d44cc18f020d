/** The field of the search page: typing asks, arrows move through the hits, and the cursor stays in it. */
import { Search, X } from "lucide-react";
import { type KeyboardEvent, useRef, useState } from "react";
import { HITS_ID } from "./hit-list.tsx";
import css from "./search-field.module.css";
import type { HitMoves } from "./use-hit-keys.ts";

export function SearchField({
  text,
  onType,
  moves,
  current,
}: {
  readonly text: string;
  readonly onType: (text: string) => void;
  readonly moves: HitMoves;
  /** The row that the arrows are at. */
  readonly current: string | undefined;
}) {
  const field = useRef<HTMLInputElement>(null);
  // After an arrow up or down, left and right are about the hit, no longer about the text.
  const [isInList, setInList] = useState(false);
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.nativeEvent.isComposing || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey)
      return;
    const isAtEnd = event.currentTarget.selectionStart === text.length;
    switch (event.key) {
      case "ArrowDown":
      case "ArrowUp":
        setInList(true);
        moves.move(event.key === "ArrowDown" ? 1 : -1);
        break;
      case "ArrowRight":
        if (!isInList && !(isAtEnd && moves.hasCurrent)) return;
        moves.preview();
        break;
      case "ArrowLeft":
        if (!isInList || !moves.isPreviewing) return;
        moves.closePreview();
        break;
      case "Enter":
        moves.open();
        break;
      case "Escape":
        if (moves.isPreviewing) moves.closePreview();
        else if (text !== "") onType("");
        else event.currentTarget.blur();
        break;
      default:
        return;
    }
    event.preventDefault();
  };
  return (
    <search className={css.field}>
      <Search aria-hidden="true" />
      <input
        ref={field}
        // biome-ignore lint/a11y/noAutofocus: the page is opened to search
        autoFocus
        data-search
        type="text"
        role="combobox"
        aria-label="Search everything that was said"
        aria-expanded={text.trim() !== ""}
        aria-haspopup="grid"
        aria-controls={HITS_ID}
        aria-autocomplete="list"
        aria-activedescendant={current}
        inputMode="search"
        enterKeyHint="search"
        autoComplete="off"
        spellCheck={false}
        placeholder="Search everything that was said, run, edited or answered"
        value={text}
        onChange={(event) => {
          setInList(false);
          onType(event.target.value);
        }}
        onPointerDown={() => setInList(false)}
        onKeyDown={onKeyDown}
      />
      {text !== "" && (
        <button
          type="button"
          aria-label="Clear the search"
          onClick={() => {
            onType("");
            field.current?.focus();
          }}
        >
          <X aria-hidden="true" />
        </button>
      )}
    </search>
  );
}
