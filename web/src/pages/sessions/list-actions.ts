/** What can be done with several sessions at once. */

import type { ExportFormat } from "../../../../src/client/types.ts";
import { plural } from "../../../../src/present/text/measure.ts";
import { openChange } from "../../change/change.ts";
import { api } from "../../lib/api.ts";
import { toKey } from "../../lib/session-key.ts";
import { titleOf as nameOf } from "../../lib/titles.ts";
import { toast } from "../../ui/toasts.tsx";
import type { SessionRow } from "./session-query.ts";

interface ExportChoice {
  readonly label: string;
  readonly format: ExportFormat;
  /** A file for each session; else, one for all. */
  readonly isEach?: true;
}

const ONE: readonly ExportChoice[] = [
  { label: "Web page", format: "html" },
  { label: "Markdown", format: "md" },
  { label: "JSON", format: "json" },
  { label: "Bundle, to import elsewhere", format: "bundle" },
];
const SEVERAL: readonly ExportChoice[] = [
  { label: "One bundle, to import elsewhere", format: "bundle" },
  { label: "One file of JSON lines", format: "jsonl" },
  { label: "A web page for each", format: "html", isEach: true },
  { label: "Markdown for each", format: "md", isEach: true },
];

/** The first one is what the key does. */
export const exportChoices = (sessions: readonly SessionRow[]): readonly ExportChoice[] =>
  sessions.length === 1 ? ONE : SEVERAL;

const titleOfAll = (sessions: readonly SessionRow[]): string =>
  sessions[0] && sessions.length === 1 ? nameOf(sessions[0]) : plural(sessions.length, "session", "sessions");

export const changeAll = (kind: "move" | "delete", sessions: readonly SessionRow[]): void =>
  openChange({ kind, sessions: sessions.map(toKey), title: titleOfAll(sessions) });

/** An address holds about so many names. */
const MOST_AT_ONCE = 100;
/** More files than that at a time are refused by browsers, or regretted. */
const MOST_FILES = 20;
/** Browsers drop downloads that come at the same moment. */
const BETWEEN_MS = 400;

export function download(sessions: readonly SessionRow[], { format, isEach }: ExportChoice): void {
  const most = isEach ? MOST_FILES : MOST_AT_ONCE;
  if (sessions.length > most) {
    toast({ text: `At most ${most} sessions can be downloaded so at once`, isError: true });
    return;
  }
  const keys = sessions.map(toKey);
  const [first] = keys;
  if (first === undefined) return;
  if (isEach || keys.length === 1)
    for (const [at, key] of keys.entries())
      setTimeout(() => follow(api.exportUrl(key, { format })), at * BETWEEN_MS);
  else follow(api.exportAllUrl(keys, { format }));
}

function follow(address: string): void {
  const link = document.createElement("a");
  link.href = address;
  link.download = "";
  link.click();
}
