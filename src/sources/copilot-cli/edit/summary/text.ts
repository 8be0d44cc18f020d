/** The title and the file of a summary, as Copilot CLI names them. */
import { uuidOf } from "../../../../model/values/stable-id.ts";
import { findTitle } from "../../../summary/tags.ts";

/** What it falls back on. */
export const titleIn = (text: string, id: string): string => findTitle(text) ?? `Session ${id.slice(0, 8)}`;

/** Three digits, and at most thirty letters and digits of the title. */
export function fileNameOf(number: number, title: string): string {
  const slug = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-/, "")
    .slice(0, 30)
    .replace(/-$/, "");
  // Without any of those the program, too, falls back on eight digits.
  return `${String(number).padStart(3, "0")}-${slug || uuidOf(title).slice(0, 8)}.md`;
}
