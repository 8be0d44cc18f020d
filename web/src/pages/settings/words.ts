/** What each setting is called on the page, what it does, and how it is entered. */
import { bytes } from "../../../../src/present/text/measure.ts";

export interface SettingWords {
  readonly label: string;
  readonly about: string;
  readonly entry:
    | { readonly as: "switch" }
    | {
        readonly as: "choice";
        readonly choices: readonly { readonly value: string; readonly label: string }[];
      }
    | { readonly as: "text"; readonly unit?: string; readonly example: string }
    | { readonly as: "json"; readonly example: string };
}

const PRICES_EXAMPLE = `{
  "date": "2026-11-01",
  "currency": "USD",
  "models": {
    "<model>": { "input": 1, "output": 5, "cacheRead": 0.1, "cacheWrite": 1.25 }
  }
}`;

const WORDS: Readonly<Record<string, SettingWords>> = {
  vanished: {
    label: "When an agent deletes a session",
    about: "Keep its record, marked as gone and still found by search; or remove the record, too.",
    entry: {
      as: "choice",
      choices: [
        { value: "keep", label: "Keep the record" },
        { value: "remove", label: "Remove it" },
      ],
    },
  },
  archive: {
    label: "Archive every session",
    about:
      "Copies the files of each new or changed session to the vault, so that it can be read after its agent deleted it.",
    entry: { as: "switch" },
  },
  backupDays: {
    label: "Keep backups for",
    about: "Counted from when a write was confirmed. Until then its backup stays, whatever is set here.",
    entry: { as: "text", unit: "days", example: "90" },
  },
  backupBytes: {
    label: "Space for backups",
    about: "When all backups take more, those of confirmed writes are removed earlier, the oldest first.",
    entry: { as: "text", example: "2 GB" },
  },
  syncDeletes: {
    label: "Delete sessions from the hub, too",
    about:
      "When a session that was sent to a hub is deleted here, the next sync deletes it there. Undoing the deletion here does not bring it back there.",
    entry: { as: "switch" },
  },
  prices: {
    label: "What tokens cost",
    about:
      "A table for the estimates of costs, in units of the currency per million tokens. Rethread brings none, because prices differ by contract.",
    entry: { as: "json", example: PRICES_EXAMPLE },
  },
};

/** A setting that this page does not know yet is entered as JSON. */
export const wordsOf = (name: string): SettingWords =>
  WORDS[name] ?? { label: name, about: "", entry: { as: "json", example: "" } };

/** The value as a person would type it. */
export function asTyped(name: string, value: unknown): string {
  if (name === "backupBytes" && typeof value === "number") return bytes(value).replace(".0 ", " ");
  if (typeof value === "string") return value;
  if (value === null || value === undefined) return "";
  return JSON.stringify(value, undefined, 2);
}

/** The value in a sentence. */
export function inWords(name: string, value: unknown): string {
  const { entry } = wordsOf(name);
  if (entry.as === "switch") return value === true ? "on" : "off";
  if (entry.as === "choice") {
    const choice = entry.choices.find((each) => each.value === value);
    return choice ? choice.label.toLowerCase() : String(value);
  }
  const typed = asTyped(name, value);
  return typed === "" ? "none" : entry.as === "text" && entry.unit ? `${typed} ${entry.unit}` : typed;
}
