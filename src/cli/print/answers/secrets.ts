/** Prints which kinds of secrets are in which sessions, and none of them. */
import type { SecretFinding, SecretScan } from "../../../app/secrets/contract.ts";
import { formatKey, shortId } from "../../../model/values/id.ts";
import type { Page } from "../../../present/page.ts";
import { amount, plural } from "../../../present/text/measure.ts";
import { cutStart, cutTitle, oneLine, wrap } from "../../../present/text/text.ts";
import { type Column, toTable } from "../terminal/table.ts";

export function printSecretScan(
  { findings, scanned, leftOut }: SecretScan,
  page: Page & { isDemo: boolean },
): string[] {
  const { style, columns, isDemo } = page;
  const demo = isDemo ? " --demo" : "";
  const looked = plural(scanned, "session", "sessions");
  const passed =
    leftOut.length === 0
      ? []
      : wrap(
          `Not looked through: ${plural(leftOut.length, "file", "files")}, such as databases and pictures; --json lists them.`,
          columns,
        ).map(style.dim);
  if (findings.length === 0)
    return [...wrap(`No known kind of secret was found in ${looked}.`, columns), ...passed];
  const table: Column<SecretFinding>[] = [
    { head: "SESSION", text: ({ session }) => shortId(session.id), paint: () => style.cyan },
    { head: "TITLE", text: ({ session }) => oneLine(session.title), cut: cutTitle, min: 16, gives: 1 },
    {
      head: "WHERE",
      text: ({ turn, path }) =>
        turn === undefined ? (path === undefined ? "before the first turn" : oneLine(path)) : `turn ${turn}`,
      cut: cutStart,
      paint: () => style.dim,
      min: 12,
    },
    { head: "KIND", text: ({ kind }) => kind, paint: () => style.yellow },
    { head: "COUNT", align: "right", text: ({ count }) => amount(count) },
  ];
  const sessions = new Set(findings.map(({ session }) => formatKey(session))).size;
  return [
    ...toTable(findings, table, columns, style.dim),
    "",
    ...wrap(
      `Secrets were found in ${amount(sessions)} of ${looked}. See one: rethread show <session> --turn <n>${demo}; take them out: rethread secrets scrub <session>${demo}`,
      columns,
    ),
    ...passed,
  ];
}
