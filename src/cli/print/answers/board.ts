/** Prints the context board: its items as a table, one of them in full, and what is proposed for it. */
import type { BoardChange, BoardList, Proposal } from "../../../app/contract.ts";
import { type BoardItem, EVERY_BRANCH, isOwn, placeWords } from "../../../model/board/item.ts";
import { shellLine, toShell } from "../../../model/text/shell-words.ts";
import { formatKey, shortId } from "../../../model/values/id.ts";
import { amount, briefly, plural } from "../../../present/text/measure.ts";
import type { Style } from "../../../present/text/style.ts";
import { cut, oneLine, wrap } from "../../../present/text/text.ts";
import { widthOf } from "../../../present/text/width.ts";
import { renderMarkdown } from "../terminal/markdown.ts";
import { type Column, toTable } from "../terminal/table.ts";

export interface BoardPage {
  readonly columns: number;
  readonly style: Style;
  readonly now: Date;
  readonly isDemo: boolean;
  /** The options that the board was asked for with: the next command needs them, too. */
  readonly asked?: readonly string[];
}

export function printBoard({ items, place, others }: BoardList, page: BoardPage): string[] {
  const { columns, style, isDemo, asked = [] } = page;
  const demo = isDemo ? " --demo" : "";
  const whose =
    place.repository === undefined
      ? "any repository"
      : place.branch === undefined
        ? place.repository
        : placeWords({ repository: place.repository, branch: place.branch });
  const elsewhere =
    others === 0
      ? []
      : [
          style.dim(
            `${plural(others, "item is", "items are")} on other boards: rethread board list --all${demo}`,
          ),
        ];
  const [first] = items;
  if (!first)
    return [
      ...wrap(`The context board of ${oneLine(whose)} is empty.`, columns),
      ...elsewhere,
      style.dim(
        `See what recent sessions suggest: ${toShell(["rethread", "board", "consolidate", ...asked])}${demo}`,
      ),
    ];
  return [
    ...tableOf(items, page),
    "",
    style.dim(
      `Read one: ${toShell(["rethread", "board", "get", first.name, ...asked])}${placeOptions(first, place)}${demo}`,
    ),
    ...elsewhere,
  ];
}

/** What has to be said of an item's place, beyond what the list was asked for. */
function placeOptions({ repository, branch }: BoardItem, place: BoardList["place"]): string {
  if (place.repository === undefined) return shellLine` --repo ${repository} --branch ${branch}`;
  return place.branch === undefined && branch !== EVERY_BRANCH ? shellLine` --branch ${branch}` : "";
}

export function tableOf(items: readonly BoardItem[], { columns, style, now }: BoardPage): string[] {
  const table: Column<BoardItem>[] = [
    {
      head: "BRANCH",
      text: ({ branch }) => (branch === EVERY_BRANCH ? "every" : oneLine(branch)),
      paint: () => style.dim,
      min: 14,
      gives: 2,
    },
    { head: "NAME", text: ({ name }) => oneLine(name), paint: () => style.cyan, min: 20 },
    { head: "BY", text: sourceOf, paint: () => style.dim, gives: 6 },
    { head: "READ", align: "right", text: ({ readCount }) => amount(readCount), gives: 3 },
    { head: "USED", align: "right", text: ({ useCount }) => amount(useCount), gives: 4 },
    {
      head: "CHANGED",
      text: ({ updatedAt }) => (updatedAt === undefined ? "" : briefly(updatedAt, now)),
      gives: 5,
    },
    { head: "DESCRIPTION", text: ({ description }) => oneLine(description), min: 30 },
  ];
  const [head = "", ...rows] = toTable(items, table, columns, style.dim);
  // One table, so that its columns stay in line from one repository to the next.
  return items.flatMap(({ repository }, at) => [
    ...(repository === items[at - 1]?.repository
      ? []
      : [...(at === 0 ? [] : [""]), style.bold(cut(oneLine(repository), columns)), head]),
    rows[at] ?? "",
  ]);
}

/** Of an item that another program keeps, also which. */
const sourceOf = (item: BoardItem): string =>
  oneLine(isOwn(item) ? item.source : `${item.source} (${item.keptBy})`);

export function printItem(item: BoardItem, { columns, style, now }: BoardPage): string[] {
  const { readCount, useCount, updatedAt, evidence } = item;
  const facts = [
    placeWords(item),
    `by ${sourceOf(item)}`,
    ...(updatedAt === undefined ? [] : [`changed ${briefly(updatedAt, now)}`]),
    `read ${plural(readCount, "time", "times")}, used ${plural(useCount, "time", "times")}`,
  ];
  return [
    style.bold(oneLine(item.name)),
    ...(item.description === "" ? [] : wrap(oneLine(item.description), columns)),
    ...wrap(facts.map(oneLine).join(" · "), columns).map(style.dim),
    "",
    ...renderMarkdown(item.content, columns, style),
    ...(evidence.length === 0 ? [] : ["", ...evidenceLines(evidence, style)]),
  ];
}

/** All of a board as one text, as an agent is given it. */
export function boardText({ items, place }: BoardList): string {
  const whose = place.repository === undefined ? "" : ` of ${place.repository}`;
  const parts = items.map(
    (item) =>
      `## ${item.name}\n\n${place.repository === undefined ? `*${placeWords(item)}*\n\n` : ""}${item.content}\n`,
  );
  return [`# Context board${whose}\n`, ...(parts.length === 0 ? ["Nothing is on it yet.\n"] : parts)].join(
    "\n",
  );
}

export function printProposals(
  proposals: readonly Proposal[],
  { columns, style }: BoardPage,
  isWritten: boolean,
): string[] {
  /** In one line where there is room. */
  const headOf = ({ id, name, kind, change, ...place }: Proposal): string[] => {
    const facts = `${oneLine(placeWords(place))} · ${KINDS[kind]}${change === "update" ? " · added to what is there" : ""}`;
    const head = `${isWritten ? "" : `${style.dim(id)}  `}${style.cyan(oneLine(name))}`;
    const width = (isWritten ? 0 : id.length + 2) + widthOf(oneLine(name)) + 2 + widthOf(facts);
    return width <= columns
      ? [`${head}  ${style.dim(facts)}`]
      : [head, ...wrap(facts, columns - 2).map((line) => `  ${style.dim(line)}`)];
  };
  return proposals.flatMap((proposal, number) => [
    ...(number === 0 ? [] : [""]),
    ...headOf(proposal),
    ...renderMarkdown(proposal.content, columns - 2, style).map((line) => `  ${line}`),
    ...evidenceLines(proposal.evidence, style).map((line) => `  ${line}`),
  ]);
}

const KINDS = {
  convention: "stated by you",
  decisions: "from a checkpoint",
  commands: "commands that worked",
  files: "files often changed",
} as const satisfies Record<Proposal["kind"], string>;

const evidenceLines = (evidence: BoardItem["evidence"], style: Style): string[] =>
  evidence.map(({ session, turn }) =>
    style.dim(
      `${formatKey({ ...session, id: shortId(session.id) })}${turn === undefined ? "" : ` turn ${turn}`}, ${oneLine(session.title)}`,
    ),
  );

/** Changes of the board as a table; nothing where there are none. */
export function printBoardChanges(
  changes: readonly BoardChange[],
  { columns, style, now }: BoardPage,
): string[] {
  if (changes.length === 0) return [];
  const table: Column<BoardChange>[] = [
    { head: "BOARD", text: ({ operation }) => operation, paint: () => style.cyan },
    { head: "WHEN", text: ({ at }) => briefly(at, now), gives: 2 },
    { head: "WHAT", text: ({ kind, undoes }) => (undoes === undefined ? kind : `${kind} ${undoes}`) },
    {
      head: "STATE",
      text: ({ undoneBy }) => (undoneBy === undefined ? "done" : "undone"),
      paint: ({ undoneBy }) => (undoneBy === undefined ? style.green : style.dim),
    },
    { head: "ITEMS", text: (change) => oneLine(itemsOf(change)), min: 16 },
  ];
  return [...toTable(changes, table, columns, style.dim), ""];
}

export function itemsOf({ items }: BoardChange): string {
  const named = items.flatMap(({ before, after }) => after ?? before ?? []);
  const [first] = named;
  return `${named.map(({ name }) => name).join(", ")}${first ? ` (${first.repository})` : ""}`;
}
