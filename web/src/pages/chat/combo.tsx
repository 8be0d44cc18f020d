/** A text field that offers what is known while one types. */
import { Autocomplete } from "@base-ui/react/autocomplete";
import css from "./combo.module.css";

export function Combo({
  label,
  placeholder,
  items,
  value,
  onChange,
  isDisabled = false,
  className,
}: {
  readonly label: string;
  readonly placeholder: string;
  readonly items: readonly string[];
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly isDisabled?: boolean;
  readonly className?: string | undefined;
}) {
  return (
    <Autocomplete.Root
      items={items}
      value={value}
      onValueChange={onChange}
      openOnInputClick
      disabled={isDisabled}
    >
      <Autocomplete.Input
        className={[css.input, className].filter(Boolean).join(" ")}
        aria-label={label}
        placeholder={placeholder}
        title={value}
        spellCheck={false}
      />
      <Autocomplete.Portal>
        <Autocomplete.Positioner className={css.positioner} sideOffset={4} side="top" align="start">
          <Autocomplete.Popup className={css.popup} data-empty={items.length === 0 || undefined}>
            <Autocomplete.List>
              {(item: string) => (
                <Autocomplete.Item key={item} value={item} className={css.item}>
                  {item}
                </Autocomplete.Item>
              )}
            </Autocomplete.List>
          </Autocomplete.Popup>
        </Autocomplete.Positioner>
      </Autocomplete.Portal>
    </Autocomplete.Root>
  );
}
