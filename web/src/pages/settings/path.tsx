/** A path of this machine, to be read and copied. */
import { Copy } from "lucide-react";
import { copyText } from "../../lib/clipboard.ts";
import { IconButton } from "../../ui/button.tsx";
import css from "./settings.module.css";

export function Path({ path, what = "Path" }: { readonly path: string; readonly what?: string }) {
  return (
    <span className={css.path}>
      <code title={path}>{path}</code>
      <IconButton label={`Copy ${what.toLowerCase()}`} onClick={() => void copyText(path, what)}>
        <Copy />
      </IconButton>
    </span>
  );
}
