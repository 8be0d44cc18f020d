/** One of a few, side by side: radio buttons that look like one control. */
import { useId } from "react";
import type { Choice } from "./field.tsx";
import css from "./segmented.module.css";

export function Segmented<V extends string>({
  label,
  choices,
  value,
  onChoose,
  isDisabled = false,
}: {
  /** For those who do not see what stands beside it. */
  readonly label: string;
  readonly choices: readonly (Choice & { readonly value: V })[];
  readonly value: V;
  readonly onChoose: (value: V) => void;
  readonly isDisabled?: boolean;
}) {
  const name = useId();
  return (
    <fieldset className={css.segmented} disabled={isDisabled}>
      <legend className="sr-only">{label}</legend>
      {choices.map((choice) => (
        <label key={choice.value}>
          <input
            type="radio"
            name={name}
            value={choice.value}
            checked={choice.value === value}
            onChange={() => onChoose(choice.value)}
          />
          <span>{choice.label}</span>
        </label>
      ))}
    </fieldset>
  );
}
