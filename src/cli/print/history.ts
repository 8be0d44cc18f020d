/** Our writes as a table, and what their backups take. */
import type { PastWrite } from "../../app/contract.ts";
import { formatKey, shortId } from "../../model/id.ts";
import { briefly, bytes, plural } from "./measure.ts";
import type { Style } from "./style.ts";
import { type Column, toTable } from "./table.ts";
import { oneLine } from "./text.ts";

interface Page {
  readonly columns: number;
  readonly style: Style;
  readonly now: Date;
}

export function printHistory(writes: readonly PastWrite[], { columns, style, now }: Page): string[] {
  if (writes.length === 0) return ["Rethread has changed nothing on this machine yet."];
  const table: Column<PastWrite>[] = [
    { head: "OPERATION", text: ({ operation }) => operation, paint: () => style.cyan },
    { head: "WHEN", text: ({ at }) => briefly(at, now), gives: 2 },
    { head: "WHAT", text: ({ kind, undoes }) => (undoes === undefined ? kind : `${kind} ${undoes}`) },
    {
      head: "STATE",
      text: ({ state }) => state,
      paint: ({ state }) => (state === "done" ? style.green : state === "undone" ? style.dim : style.red),
    },
    {
      head: "SESSION",
      text: ({ session }) => formatKey({ ...session, id: shortId(session.id) }),
      min: 12,
      gives: 3,
    },
    { head: "TITLE", text: ({ title }) => oneLine(title), min: 10 },
    {
      head: "BACKUP",
      align: "right",
      text: ({ backup }) => (backup.files === 0 ? "" : bytes(backup.stored)),
      gives: 1,
    },
  ];
  const stored = writes.reduce((sum, { backup }) => sum + backup.stored, 0);
  return [
    ...toTable(writes, table, columns, style.dim),
    "",
    `${plural(writes.length, "write", "writes")}; backups take ${bytes(stored)}.`,
  ];
}
