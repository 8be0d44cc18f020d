/** A file with the sessions that wrote it beside its lines: lines of one turn are joined, and named once. */

import type { BlamedLine, BlameReport } from "../../../app/contract.ts";
import { SOURCE_IDS } from "../../../app/source-names.ts";
import { shellLine } from "../../../model/text/shell-words.ts";
import { shortId } from "../../../model/values/id.ts";
import { wayFrom } from "../../../model/values/paths.ts";
import type { Page } from "../../../present/page.ts";
import { titleOf } from "../../../present/text/facts.ts";
import { amount, briefly, plural } from "../../../present/text/measure.ts";
import type { Paint, Style } from "../../../present/text/style.ts";
import { cut, cutStart, cutTitle, oneLine, pad, plain, wrap } from "../../../present/text/text.ts";

export interface BlameSetting {
  readonly now: Date;
  readonly isDemo: boolean;
  /** Where the person is: paths start there. */
  readonly folder: string;
}

/** A name that fits a column. */
const agentOf = (source: string): string => source.split("-", 1)[0] ?? source;

/** From here on there is room for titles. */
const WIDE = 100;

export function printBlame(report: BlameReport, setting: BlameSetting, page: Page): string[] {
  const { style, columns } = page;
  const { lines, file, total } = report;
  if (total === 0) return [`${fileName(file, setting)} is empty`];
  const groups = groupsOf(lines);
  const numbers = String(lines.at(-1)?.line ?? 1).length;
  const titles = columns < WIDE ? 0 : Math.min(32, Math.floor(columns / 5));
  const head = headWidth(titles);
  const room = Math.max(10, columns - head - numbers - 3);
  const rows = groups.flatMap((group) =>
    group.map((line, at) => {
      const named = at === 0 ? nameOf(line, titles, setting, style) : " ".repeat(head - 2);
      const bar = line.written
        ? sourcePaint(line.written.session.source, style)(barOf(at, group.length))
        : " ";
      const text = cut(plain(line.text), room);
      return `${bar} ${named}${style.dim(String(line.line).padStart(numbers))}  ${text}`.trimEnd();
    }),
  );
  return [
    style.bold(cutStart(fileName(file, setting), columns)),
    "",
    ...rows,
    "",
    ...wrap(footerOf(report, setting), columns).map(style.dim),
  ];
}

/** Lines that follow each other and were written in one turn, or came with one commit. */
function groupsOf(lines: readonly BlamedLine[]): BlamedLine[][] {
  const groups: BlamedLine[][] = [];
  let last: string | undefined;
  for (const line of lines) {
    const { written, commit } = line;
    const key = written
      ? JSON.stringify([written.session.source, written.session.id, written.turn])
      : (commit?.id ?? "");
    if (key === last) groups.at(-1)?.push(line);
    else groups.push([line]);
    last = key;
  }
  return groups;
}

const barOf = (at: number, length: number): string =>
  length === 1 ? "╺" : at === 0 ? "┌" : at === length - 1 ? "└" : "│";

/** The bar, the age, who, an id, a title where there is room, each with a space behind it. */
const AGE = 9;
const WHO = 7;
const ID = 8;
const TURN = 4;
const headWidth = (titles: number): number =>
  2 + AGE + 1 + WHO + 1 + ID + 1 + (titles > 0 ? TURN + 1 + titles + 1 : 0);

function nameOf(
  { written, commit }: BlamedLine,
  titles: number,
  { now }: BlameSetting,
  style: Style,
): string {
  const cells = (age: string, who: string, id: string, turn: string, title: string, paint: Paint): string =>
    [
      style.dim(pad(cut(age, AGE), AGE)),
      paint(pad(who, WHO)),
      style.cyan(pad(cut(id, ID), ID)),
      ...(titles > 0 ? [style.dim(turn.padStart(TURN)), pad(cutTitle(title, titles), titles)] : []),
      "",
    ].join(" ");
  if (written) {
    const { session, time, turn } = written;
    const agent = agentOf(session.source);
    const paint = sourcePaint(session.source, style);
    return cells(ageOf(time, now), cut(agent, WHO), shortId(session.id), `#${turn}`, titleOf(session), paint);
  }
  if (commit)
    return cells(
      ageOf(commit.time, now),
      "git",
      commit.id.slice(0, ID),
      "",
      oneLine(commit.summary),
      style.dim,
    );
  return cells("", "–", "", "", "", style.dim);
}

function sourcePaint(source: string, style: Style): Paint {
  const paints = [style.green, style.blue, style.yellow, style.cyan];
  return paints[SOURCE_IDS.indexOf(source) % paints.length] ?? style.yellow;
}

/** Of a day long ago, its month says enough. */
const ageOf = (time: string | undefined, now: Date): string =>
  briefly(time, now).replace(/^\d+ (\w{3} \d{4})$/, "$1");

/** As it is typed here. */
const fileName = (file: string, { folder }: BlameSetting): string => oneLine(wayFrom(folder, file) ?? file);

function footerOf({ file, lines, unread, leftOut, hasGit }: BlameReport, setting: BlameSetting): string {
  const own = lines.filter(({ written }) => written);
  const sessions = new Set(own.map(({ written }) => written?.session.id)).size;
  const committed = lines.filter(({ written, commit }) => !written && commit).length;
  const others = lines.length - own.length - committed;
  const [first] = own;
  const why = first
    ? `why: ${shellLine`rethread blame ${`${fileName(file, setting)}:${first.line}`} --why`}${setting.isDemo ? " --demo" : ""}`
    : "";
  return [
    own.length === 0
      ? `no session wrote any of ${plural(lines.length, "line", "lines")}`
      : `${amount(own.length)} of ${plural(lines.length, "line", "lines")} by ${plural(sessions, "session", "sessions")}`,
    committed > 0 ? `${amount(committed)} by commits` : "",
    others > 0 ? `${amount(others)} ${hasGit ? "not committed" : "by others"}` : "",
    unread > 0 ? `${plural(unread, "session", "sessions")} could not be read` : "",
    leftOut > 0 ? `${plural(leftOut, "older change", "older changes")} left out` : "",
    why,
  ]
    .filter(Boolean)
    .join(" · ");
}
