/** The files that sessions changed, as a table. */
import type { EditedFiles } from "../../../app/contract.ts";
import { shellLine } from "../../../model/text/shell-words.ts";
import { wayFrom } from "../../../model/values/paths.ts";
import type { Page } from "../../../present/page.ts";
import { amount, briefly, plural } from "../../../present/text/measure.ts";
import { cutStart, oneLine, wrap } from "../../../present/text/text.ts";
import { toTable } from "../terminal/table.ts";
import type { BlameSetting } from "./blame.ts";

export function printChangedFiles(
  { files }: EditedFiles,
  { now, isDemo, folder }: BlameSetting,
  { style, columns }: Page,
): string[] {
  const demo = isDemo ? " --demo" : "";
  const [first] = files;
  if (!first)
    return wrap(
      `No session changed a file in this folder, ${oneLine(folder)}. Name a file: rethread blame <file>${demo}`,
      columns,
    );
  const nameOf = (path: string): string => oneLine(wayFrom(folder, path) ?? path);
  const table = toTable(
    files,
    [
      { head: "CHANGED", text: ({ lastAt }) => briefly(lastAt, now), paint: () => style.dim },
      { head: "SESSIONS", align: "right", text: ({ sessions }) => amount(sessions), gives: 1 },
      { head: "FILE", text: ({ path }) => nameOf(path), cut: cutStart, min: 30 },
      { head: "", text: ({ exists }) => (exists ? "" : "gone"), paint: () => style.yellow },
    ],
    columns,
    style.dim,
  );
  const next = `who wrote it: ${shellLine`rethread blame ${nameOf(first.path)}`}${demo}`;
  return [
    ...table,
    "",
    ...wrap(`${plural(files.length, "file", "files")} · ${next}`, columns).map(style.dim),
  ];
}
