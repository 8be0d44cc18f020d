/** Prints what a migration includes and leaves out, and how to use the copy. */
import type { Migrated, Migration, MigrationFacts } from "../../../app/contract.ts";
import { nameSome } from "../../../model/text/name-some.ts";
import { shellLine } from "../../../model/text/shell-words.ts";
import { amount, bytes, plural } from "../../../present/text/measure.ts";
import type { Style } from "../../../present/text/style.ts";
import { oneLine, plain, wrap } from "../../../present/text/text.ts";
import { riskLines } from "./plan.ts";

interface Page {
  readonly columns: number;
  readonly style: Style;
  readonly isDemo: boolean;
}

export function printMigration({ facts, plan }: Migration, page: Page): string[] {
  return [
    ...wrap(`Would migrate ${oneLine(facts.from)} to ${oneLine(facts.to)}`, page.columns),
    `  ${contents(facts, plural(facts.sessions, "session", "sessions"))}`,
    ...about(facts, page),
    ...riskLines(plan, page),
  ];
}

export function printMigrated({ facts, plan }: Migration, done: Migrated, page: Page): string[] {
  const { style, isDemo } = page;
  const read = ` with ${plural(done.turns, "turn", "turns")}`;
  const next: [string, string][] = [
    facts.use === undefined
      ? [
          "restore",
          `${shellLine`rethread migrate --from ${facts.to}`} --to <folder>${isDemo ? " --demo" : ""}`,
        ]
      : ["use", facts.use],
    ["undo", `${shellLine`rethread undo ${done.operation}`}${isDemo ? " --demo" : ""}`],
  ];
  return [
    ...wrap(
      `Migrated ${oneLine(facts.from)} to ${oneLine(facts.to)}; the original was not changed`,
      page.columns,
    ),
    `  ${contents(facts, `${plural(done.sessions, "session", "sessions")}${read}`)}`,
    "  every file has the same hash; the sessions were found and read in the copy",
    ...about(facts, page),
    ...riskLines(plan, page),
    ...next.map(([what, command]) => `  ${style.dim(what.padEnd(8))}  ${style.cyan(plain(command))}`),
  ];
}

const contents = ({ files, bytes: size }: MigrationFacts, sessions: string): string =>
  `${sessions}, ${plural(files, "file", "files")}, ${bytes(size)}`;

function about({ databases, leftOut, links, isArchive }: MigrationFacts, { columns, style }: Page): string[] {
  const rows = Object.entries(databases).map(([name, tables]) => {
    const sum = Object.values(tables).reduce((all, count) => all + count, 0);
    return `  ${name}: intact, ${amount(sum)} rows in ${plural(Object.keys(tables).length, "table", "tables")}`;
  });
  const followed = links.flatMap(({ path, becomes }) => (becomes === "content" ? [path] : []));
  const lost = new Map(
    links.flatMap(({ path, target, becomes }) => (becomes === "nothing" ? [[path, target] as const] : [])),
  );
  // Links that are listed by name are not counted by kind again.
  const left = Object.entries(leftOut).flatMap(([why, paths]) =>
    paths.length > 0 && paths.every((path) => lost.has(path)) ? [] : [why],
  );
  return [
    ...rows,
    ...(followed.length === 0
      ? []
      : wrap(`symbolic links replaced by what they lead to: ${oneLine(nameSome(followed))}`, columns - 2).map(
          (line) => `  ${line}`,
        )),
    ...(lost.size === 0
      ? []
      : wrap(
          `symbolic links left out: ${oneLine(nameSome([...lost].map(([path, target]) => `${path} -> ${target}`)))}`,
          columns - 2,
        ).map((line) => style.yellow(`  ${line}`))),
    ...(left.length === 0
      ? []
      : wrap(`left out: ${left.join("; ")}`, columns - 2).map((line) => style.dim(`  ${line}`))),
    ...(isArchive
      ? wrap(
          "Nothing in it is redacted, not even secrets: keep it where only you can read it.",
          columns - 2,
        ).map((line) => style.yellow(`  ${line}`))
      : []),
  ];
}
