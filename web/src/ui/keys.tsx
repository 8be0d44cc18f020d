/** A shortcut as it is printed on keys. */
import { keyLabel } from "../keys/keys.ts";
import css from "./keys.module.css";

export function Keys({ keys }: { readonly keys: string }) {
  return (
    <span className={css.keys} aria-hidden="true">
      {keyLabel(keys).map((key, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same key may come twice
        <kbd key={at}>{key}</kbd>
      ))}
    </span>
  );
}
