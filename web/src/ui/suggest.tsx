/** A text field with suggestions below or above it; the rest of the page stays as it is while they are shown. */
import { Autocomplete } from "@base-ui/react/autocomplete";
import { type ReactNode, useId, useState } from "react";
import css from "./suggest.module.css";

export function Suggest<T>({
  label,
  placeholder,
  value,
  onChange,
  items,
  toText,
  onPick,
  onEnter,
  none,
  side = "bottom",
  size = "normal",
  children,
}: {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly items: readonly T[];
  readonly toText: (item: T) => string;
  /** Otherwise what was picked becomes the text. */
  readonly onPick?: (item: T) => void;
  /** The text is to be taken as it is, and nothing that is suggested. */
  readonly onEnter?: () => void;
  /** Said where nothing is suggested. */
  readonly none?: ReactNode;
  readonly side?: "top" | "bottom";
  readonly size?: "small" | "normal";
  readonly children: (item: T) => ReactNode;
}) {
  const list = useId();
  const [isOpen, setOpen] = useState(false);
  const isShown = isOpen && (items.length > 0 || none !== undefined);
  return (
    <span className={css.suggest} data-side={side}>
      <Autocomplete.Root
        inline
        open={isShown}
        items={items}
        value={value}
        filter={null}
        itemToStringValue={toText}
        onValueChange={(next) => {
          onChange(next);
          setOpen(true);
        }}
      >
        <Autocomplete.Input
          className={css.input}
          data-size={size}
          aria-label={label}
          aria-expanded={isShown}
          aria-controls={isShown ? list : undefined}
          placeholder={placeholder}
          title={value}
          spellCheck={false}
          onFocus={() => setOpen(true)}
          onClick={() => setOpen(true)}
          onBlur={() => setOpen(false)}
          onKeyDown={(event) => {
            const isPicked = event.currentTarget.getAttribute("aria-activedescendant") !== null;
            if (event.key === "Enter" && !isPicked && onEnter) {
              event.preventDefault();
              onEnter();
              return;
            }
            if (event.key !== "Escape" || !isShown) return;
            // The field closes, not what it stands in.
            event.stopPropagation();
            event.preventDefault();
            setOpen(false);
          }}
        />
        {isShown && (
          // The field keeps the focus while something is picked.
          // biome-ignore lint/a11y/noStaticElementInteractions: it does nothing by itself
          <div className={css.popup} onMouseDown={(event) => event.preventDefault()}>
            {items.length === 0 && <p className={css.none}>{none}</p>}
            <Autocomplete.List id={list} aria-label={label}>
              {(item: T) => (
                <Autocomplete.Item
                  key={toText(item)}
                  value={item}
                  className={css.item}
                  onClick={() => {
                    setOpen(false);
                    if (onPick) onPick(item);
                    else onChange(toText(item));
                  }}
                >
                  {children(item)}
                </Autocomplete.Item>
              )}
            </Autocomplete.List>
          </div>
        )}
      </Autocomplete.Root>
    </span>
  );
}
