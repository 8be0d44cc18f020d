/** What can be done with several sessions at once. */

import type { ExportFormat } from "../../../../src/client/types.ts";
import { plural } from "../../../../src/present/text/measure.ts";
import { openChange } from "../../change/change.ts";
import { api } from "../../lib/api.ts";
import { toKey } from "../../lib/session-key.ts";
import { titleOf as nameOf } from "../../lib/titles.ts";
import { toast } from "../../ui/toasts.tsx";
import type { SessionRow } from "./session-query.ts";

export const FORMATS: readonly { readonly format: ExportFormat; readonly label: string }[] = [
  { format: "html", label: "Web page" },
  { format: "md", label: "Markdown" },
  { format: "json", label: "JSON" },
  { format: "bundle", label: "Bundle, to import elsewhere" },
];

const titleOfAll = (sessions: readonly SessionRow[]): string =>
  sessions[0] && sessions.length === 1 ? nameOf(sessions[0]) : plural(sessions.length, "session", "sessions");

export const changeAll = (kind: "move" | "delete", sessions: readonly SessionRow[]): void =>
  openChange({ kind, sessions: sessions.map(toKey), title: titleOfAll(sessions) });

/** An address holds about so many names. */
const MOST_AT_ONCE = 100;

export function download(sessions: readonly SessionRow[], format: ExportFormat): void {
  const [first] = sessions;
  if (!first) return;
  if (sessions.length > MOST_AT_ONCE) {
    toast({ text: `At most ${MOST_AT_ONCE} sessions can be exported at once`, isError: true });
    return;
  }
  const link = document.createElement("a");
  link.href =
    sessions.length === 1
      ? api.exportUrl(toKey(first), { format })
      : api.exportAllUrl(sessions.map(toKey), { format });
  link.download = "";
  link.click();
}
