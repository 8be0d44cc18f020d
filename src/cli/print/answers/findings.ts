/** Prints findings: each with its number or id, what to do, where it was seen, and the next command. */
import type { Evidence } from "../../../app/contract.ts";
import { type Remedy, toCommand } from "../../../model/remedy.ts";
import { shortId } from "../../../model/values/id.ts";
import type { Style } from "../../../present/text/style.ts";
import { cut, oneLine, pad, widthOf, wrap } from "../../../present/text/text.ts";

export interface PrintedFinding {
  /** By which it can be named. */
  readonly id?: string;
  readonly title: string;
  readonly suggestion: string;
  readonly evidence: readonly Evidence[];
  readonly remedy?: Remedy | null | undefined;
}

interface Page {
  readonly columns: number;
  readonly style: Style;
}

/** Places that a person looks at; the rest is counted. */
const MOST_PLACES = 3;
const INDENT = "    ";

export const printFindings = (findings: readonly PrintedFinding[], page: Page): string[] =>
  findings.flatMap((finding, at) => ["", ...printFinding(finding, at + 1, page)]);

function printFinding(
  { id, title, suggestion, evidence, remedy }: PrintedFinding,
  number: number,
  { columns, style }: Page,
): string[] {
  const room = columns - INDENT.length;
  const shown = evidence.slice(0, MOST_PLACES);
  const widest = Math.max(0, ...shown.map((each) => widthOf(placeOf(each))));
  const more = evidence.length - shown.length;
  return [
    ...(id === undefined ? [] : [style.cyan(id)]),
    ...wrap(oneLine(title), room).map(
      (line, at) =>
        `${at === 0 && id === undefined ? style.cyan(`${number}`.padStart(2).padEnd(4)) : INDENT}${style.bold(line)}`,
    ),
    ...wrap(oneLine(suggestion), room).map((line) => INDENT + line),
    ...shown.map((each) => {
      const place = pad(placeOf(each), widest);
      const said = oneLine(each.detail ?? each.session.title);
      return `${INDENT}${style.dim(place)}  ${style.dim(cut(said, Math.max(8, room - widest - 2)))}`;
    }),
    ...(more > 0 ? [`${INDENT}${style.dim(`and ${more} more`)}`] : []),
    ...(remedy ? [`${INDENT}${style.cyan(toCommand(shortened(remedy)))}`] : []),
  ];
}

const placeOf = ({ session, turn }: Evidence): string =>
  `${shortId(session.id)}${turn === null ? "" : ` turn ${turn}`}`;

/** A session by as much of its id as people type. */
function shortened(remedy: Remedy): Remedy {
  if (!("session" in remedy) || remedy.session === undefined) return remedy;
  return {
    ...remedy,
    session: remedy.session.replace(/^([\w-]+:)?([0-9a-f]{8})-[0-9a-f-]+$/i, "$2"),
  } as Remedy;
}
