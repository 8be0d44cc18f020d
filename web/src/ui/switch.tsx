/** On or off, at once. */
import { Switch as Base } from "@base-ui/react/switch";
import css from "./switch.module.css";

export function Switch({
  label,
  isOn,
  onChange,
  isDisabled = false,
}: {
  readonly label: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
  readonly isDisabled?: boolean;
}) {
  return (
    <Base.Root
      className={css.switch}
      aria-label={label}
      checked={isOn}
      onCheckedChange={onChange}
      disabled={isDisabled}
    >
      <Base.Thumb className={css.thumb} />
    </Base.Root>
  );
}
