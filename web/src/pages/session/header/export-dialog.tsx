/** Downloads the session, as a page, as text, as data, or whole. */
import { Download } from "lucide-react";
import { useId, useRef, useState } from "react";
import { api } from "../../../lib/api.ts";
import { Button, buttonClass } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { CheckField } from "../../../ui/field.tsx";
import { useReading } from "../reading.ts";
import css from "./export-dialog.module.css";

const FORMATS = [
  { format: "html", label: "Web page", hint: "One file that any browser shows, to read and to share" },
  { format: "md", label: "Markdown", hint: "Prompts and answers as text, calls in a line each" },
  { format: "json", label: "JSON", hint: "One document with every part, for programs" },
  { format: "jsonl", label: "JSON Lines", hint: "The same, one line for each turn" },
  {
    format: "bundle",
    label: "Bundle",
    hint: "The session itself with all that belongs to it, to import elsewhere",
  },
] as const;

type Format = (typeof FORMATS)[number]["format"];

export function ExportDialog({ onClose }: { readonly onClose: () => void }) {
  const { key, session } = useReading();
  const name = useId();
  const formats = useRef<HTMLFieldSetElement>(null);
  const [format, setFormat] = useState<Format>("html");
  const [isRedacted, setRedacted] = useState(true);
  const [isFull, setFull] = useState(false);
  const isBundle = format === "bundle";
  const address = api.exportUrl(key, {
    format,
    ...(isRedacted && !isBundle && { redact: true }),
    ...(isFull && !isBundle && { full: true }),
  });
  return (
    <Dialog
      title="Export"
      description={session.title}
      size="small"
      onClose={onClose}
      initialFocus={() => formats.current?.querySelector("input") ?? null}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <a className={buttonClass({ tone: "primary" })} href={address} download="" onClick={onClose}>
            <Download />
            Download
          </a>
        </>
      }
    >
      <fieldset ref={formats} className={css.formats}>
        <legend className="sr-only">Format</legend>
        {FORMATS.map(({ format: each, label, hint }) => (
          <label key={each} className={css.format} data-chosen={each === format || undefined}>
            <input type="radio" name={name} checked={each === format} onChange={() => setFormat(each)} />
            <span>
              <b>{label}</b>
              <small>{hint}</small>
            </span>
          </label>
        ))}
      </fieldset>
      <div className={css.options}>
        <CheckField
          label="Redact secrets"
          hint={
            isBundle
              ? "A bundle holds the files as they are, so that its program can read them"
              : "Keys, tokens and passwords are taken out, and home folders written as ~"
          }
          isChecked={isRedacted && !isBundle}
          isDisabled={isBundle}
          onCheck={setRedacted}
        />
        <CheckField
          label="Whole tool results"
          isChecked={isFull || isBundle}
          isDisabled={isBundle}
          onCheck={setFull}
        />
      </div>
    </Dialog>
  );
}
