/** Form fields with their labels and hints. */
import { type InputHTMLAttributes, type ReactNode, type Ref, type SelectHTMLAttributes, useId } from "react";
import css from "./field.module.css";

interface Labelled {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
}

interface Ids {
  readonly id: string;
  readonly "aria-describedby"?: string;
}

export function Field({
  label,
  hint,
  error,
  id: given,
  children,
}: Labelled & { readonly id?: string | undefined; readonly children: (ids: Ids) => ReactNode }) {
  const made = useId();
  const id = given ?? made;
  const about = hint !== undefined || error !== undefined ? `${id}-about` : undefined;
  return (
    <div className={css.field}>
      <label htmlFor={id}>{label}</label>
      {children({ id, ...(about && { "aria-describedby": about }) })}
      {about && (
        <p id={about} className={error ? css.error : css.hint}>
          {error ?? hint}
        </p>
      )}
    </div>
  );
}

export function TextField({
  label,
  hint,
  error,
  id,
  ...rest
}: Labelled &
  Omit<InputHTMLAttributes<HTMLInputElement>, "className"> & { readonly ref?: Ref<HTMLInputElement> }) {
  return (
    <Field label={label} hint={hint} error={error} id={id}>
      {(ids) => <input className={css.input} {...ids} aria-invalid={error !== undefined} {...rest} />}
    </Field>
  );
}

export interface Choice {
  readonly value: string;
  readonly label: string;
}

export function SelectField({
  label,
  hint,
  choices,
  onChoose,
  id,
  ...rest
}: Labelled &
  Omit<SelectHTMLAttributes<HTMLSelectElement>, "className"> & {
    readonly choices: readonly Choice[];
    readonly onChoose: (value: string) => void;
  }) {
  return (
    <Field label={label} hint={hint} id={id}>
      {(ids) => (
        <select className={css.input} {...ids} {...rest} onChange={(event) => onChoose(event.target.value)}>
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

export function CheckField({
  label,
  hint,
  isChecked,
  onCheck,
  isDisabled = false,
}: Labelled & {
  readonly isChecked: boolean;
  readonly onCheck: (isChecked: boolean) => void;
  readonly isDisabled?: boolean;
}) {
  const id = useId();
  return (
    <div className={css.check}>
      <input
        id={id}
        type="checkbox"
        checked={isChecked}
        disabled={isDisabled}
        onChange={(event) => onCheck(event.target.checked)}
        {...(hint !== undefined && { "aria-describedby": `${id}-hint` })}
      />
      <label htmlFor={id}>{label}</label>
      {hint !== undefined && (
        <p id={`${id}-hint`} className={css.hint}>
          {hint}
        </p>
      )}
    </div>
  );
}
