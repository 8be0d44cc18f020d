/** The field above a list that narrows it while one types; its arrow keys move in the list. */
import { Search, X } from "lucide-react";
import type { KeyboardEvent } from "react";
import { Keys } from "../../ui/keys.tsx";
import css from "./filter-field.module.css";

export interface ListMoves {
  move(by: number): void;
  open(): void;
}

export function FilterField({
  text,
  onType,
  label,
  placeholder,
  moves,
}: {
  readonly text: string;
  readonly onType: (text: string) => void;
  readonly label: string;
  readonly placeholder: string;
  readonly moves: ListMoves;
}) {
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "ArrowDown") moves.move(1);
    else if (event.key === "ArrowUp") moves.move(-1);
    else if (event.key === "Enter") moves.open();
    else if (event.key === "Escape" && text !== "") onType("");
    else if (event.key === "Escape") event.currentTarget.blur();
    else return;
    event.preventDefault();
  };
  return (
    <div className={css.field}>
      <Search aria-hidden="true" />
      <input
        data-search
        type="text"
        inputMode="search"
        enterKeyHint="search"
        autoComplete="off"
        spellCheck={false}
        aria-label={label}
        placeholder={placeholder}
        value={text}
        onChange={(event) => onType(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {text === "" ? (
        <Keys keys="/" />
      ) : (
        <button type="button" className={css.clear} aria-label="Clear the filter" onClick={() => onType("")}>
          <X />
        </button>
      )}
    </div>
  );
}
