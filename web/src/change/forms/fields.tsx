/** Parts of the forms: groups, and numbers with their unit. */
import { type ReactNode, type Ref, useEffect, useId, useState } from "react";
import css from "./form.module.css";

export function Group({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <fieldset className={css.group}>
      <legend>{title}</legend>
      {children}
    </fieldset>
  );
}

/** A whole number; what is not one yet stays in the field and is not used. */
export function AmountField({
  label,
  unit,
  value,
  least = 0,
  most = Number.MAX_SAFE_INTEGER,
  onValue,
  ref,
}: {
  readonly label: string;
  readonly unit?: string;
  readonly value: number;
  readonly least?: number;
  readonly most?: number | undefined;
  readonly onValue: (value: number) => void;
  readonly ref?: Ref<HTMLInputElement>;
}) {
  const id = useId();
  const [text, setText] = useState(String(value));
  useEffect(() => setText((before) => (readAmount(before) === value ? before : String(value))), [value]);
  const read = readAmount(text);
  const isValid = read !== undefined && read >= least && read <= most;
  return (
    <div className={css.amount}>
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <input
        id={id}
        ref={ref}
        className={css.input}
        inputMode="numeric"
        autoComplete="off"
        value={text}
        aria-invalid={!isValid}
        onChange={({ target }) => {
          setText(target.value);
          const next = readAmount(target.value);
          if (next !== undefined && next >= least && next <= most) onValue(next);
        }}
        onBlur={() => setText(String(value))}
      />
      {unit !== undefined && (
        <span className={css.unit} aria-hidden="true">
          {unit}
        </span>
      )}
    </div>
  );
}

/** `60k` and `1.5m` are numbers, too. */
export function readAmount(text: string): number | undefined {
  const [, digits, unit = ""] = /^(\d{1,12}(?:\.\d{1,3})?)([km]?)$/i.exec(text.replace(/[\s,]/g, "")) ?? [];
  if (digits === undefined) return undefined;
  return Math.round(Number(digits) * ({ k: 1e3, m: 1e6 }[unit.toLowerCase()] ?? 1));
}
