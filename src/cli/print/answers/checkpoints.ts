/** Prints checkpoints as a table, or one of them in full. */
import type { Checkpoint, Checkpoints } from "../../../app/contract.ts";
import { shellLine } from "../../../model/text/shell-words.ts";
import { formatKey, shortId } from "../../../model/values/id.ts";
import { amount, briefly } from "../../../present/text/measure.ts";
import type { Style } from "../../../present/text/style.ts";
import { cut, oneLine, wrap } from "../../../present/text/text.ts";
import { renderMarkdown } from "../terminal/markdown.ts";
import { type Column, toTable } from "../terminal/table.ts";

interface Page {
  readonly columns: number;
  readonly style: Style;
  readonly now: Date;
  readonly isDemo: boolean;
}

export function printCheckpoints({ session, checkpoints }: Checkpoints, page: Page): string[] {
  const { columns, style, now, isDemo } = page;
  const key = formatKey({ ...session, id: shortId(session.id) });
  if (checkpoints.length === 0)
    return wrap(
      `"${oneLine(session.title)}" has no checkpoints: none of its turns was ever summarized.`,
      columns,
    );
  const table: Column<Checkpoint>[] = [
    { head: "#", align: "right", text: ({ number }) => String(number), paint: () => style.cyan },
    { head: "TITLE", text: ({ title }) => oneLine(title), min: 16 },
    { head: "WHEN", text: ({ at }) => (at === undefined ? "" : briefly(at, now)), gives: 2 },
    {
      head: "AFTER TURN",
      align: "right",
      text: ({ turns }) => (turns === undefined || turns === 0 ? "" : String(turns - 1)),
      gives: 3,
    },
    { head: "CHARACTERS", align: "right", text: ({ summary }) => amount(summary.length), gives: 1 },
    { head: "", text: ({ isSent }) => (isSent ? "sent to the model" : ""), paint: () => style.green },
  ];
  return [
    ...toTable(checkpoints, table, columns, style.dim),
    "",
    style.dim(
      `Read one: ${shellLine`rethread checkpoint show ${key} ${checkpoints.at(-1)?.number ?? 1}`}${isDemo ? " --demo" : ""}`,
    ),
  ];
}

export function printCheckpoint(
  { number, title, summary }: Pick<Checkpoint, "number" | "title" | "summary">,
  { columns, style }: Pick<Page, "columns" | "style">,
): string[] {
  return [
    style.bold(`${number}. ${oneLine(title)}`),
    "",
    ...renderMarkdown(toMarkdown(summary), columns, style),
  ];
}

/** Which checkpoint a summary becomes. */
export const checkpointLine = ({
  number,
  title,
  summary,
}: Pick<Checkpoint, "number" | "title" | "summary">): string =>
  `  checkpoint ${number}, "${cut(oneLine(title), 50)}", ${amount(summary.length)} characters`;

/** Sections between tags, as agents write them, read better as headings. */
const toMarkdown = (summary: string): string =>
  summary
    .replace(/^<([a-z_]+)>\s*$/gm, (_, tag: string) => `## ${tag.replaceAll("_", " ")}\n`)
    .replace(/^<\/[a-z_]+>\s*$/gm, "");
