/** Prints a comparison of two sessions: one line for equal turns, one line for each difference. */
import type { DiffSide, DiffStep, SessionDiff } from "../../../app/contract.ts";
import { shellLine } from "../../../model/text/shell-words.ts";
import { shortId } from "../../../model/values/id.ts";
import { largest } from "../../../model/values/lists.ts";
import type { Page } from "../../../present/page.ts";
import { titleOf } from "../../../present/text/facts.ts";
import { amount, plural } from "../../../present/text/measure.ts";
import type { Paint } from "../../../present/text/style.ts";
import { cut, cutTitle, oneLine, pad, widthOf, wrap } from "../../../present/text/text.ts";
import { toTable } from "../terminal/table.ts";

/** Longer lists are for programs: so many lines of one kind in a row. */
const MOST = 16;

export function printDiff(diff: SessionDiff, isDemo: boolean, { style, columns }: Page): string[] {
  return [
    ...headLines(diff, { style, columns }),
    "",
    ...wrap(verdictOf(diff), columns).map(style.bold),
    ...(diff.isSame ? [] : ["", ...stepLines(diff, { style, columns })]),
    ...sideLines("Files written", diff.files, { style, columns }),
    ...sideLines("Commands run", diff.commands, { style, columns }),
    ...(diff.isSame ? [] : ["", ...hintLines(diff, isDemo, columns).map(style.dim)]),
  ];
}

function headLines({ a, b }: SessionDiff, { style, columns }: Page): string[] {
  const rows = [
    { name: "A", paint: style.red, ...a },
    { name: "B", paint: style.green, ...b },
  ];
  return toTable(
    rows,
    [
      { head: " ", text: ({ name }) => name, paint: ({ paint }) => paint },
      { head: "ID", text: ({ session }) => shortId(session.id), paint: () => style.cyan },
      { head: "SOURCE", text: ({ session }) => session.source, paint: () => style.dim, gives: 3 },
      { head: "TURNS", align: "right", text: ({ session }) => amount(session.turns), gives: 1 },
      {
        head: "TOKENS",
        align: "right",
        text: (row) => (row.tokens === undefined ? "–" : amount(row.tokens)),
        gives: 2,
      },
      { head: "MODEL", text: ({ session }) => oneLine(session.models.join(", ")), min: 12, gives: 4 },
      { head: "TITLE", text: ({ session }) => titleOf(session), cut: cutTitle, min: 20 },
    ],
    columns,
    style.dim,
  );
}

function verdictOf(diff: SessionDiff): string {
  const { a, b, shared, isSame } = diff;
  if (isSame)
    return a.session.path === b.session.path
      ? "A and B are the same session."
      : "A and B have the same content.";
  const from =
    shared === 0
      ? "They differ from the first turn"
      : `The first ${plural(shared, "turn is", "turns are")} the same`;
  const [more, less] = a.session.turns > b.session.turns ? ["A", b] : ["B", a];
  return shared === less.session.turns && shared > 0 && a.session.turns !== b.session.turns
    ? `${from}; ${more} continues from there.`
    : `${from}.`;
}

function stepLines(diff: SessionDiff, { style, columns }: Page): string[] {
  const rows = runsOf(diff.steps).flatMap((run) => shorten(run.map(toRow), toMoreRow(run)));
  const numbers = largest(
    rows.map(({ number }) => widthOf(number)),
    0,
  );
  const paints: Record<string, Paint> = {
    "-": style.red,
    "+": style.green,
    "~": style.yellow,
    "=": style.dim,
  };
  const before = diff.preambleDiffers
    ? [`${style.yellow("~")} ${" ".repeat(numbers)}  the parts before the first prompt differ`]
    : [];
  return [
    ...before,
    ...rows.map(({ mark, number, text, note }) => {
      const paint = paints[mark] ?? style.dim;
      const room = columns - numbers - 4 - (note === "" ? 0 : widthOf(note) + 2);
      const shown = cut(text, Math.max(8, room));
      const line = `${paint(mark)} ${style.dim(pad(number, numbers))}  ${mark === "=" ? style.dim(shown) : shown}`;
      const space = " ".repeat(Math.max(0, columns - widthOf(line) - widthOf(note)));
      return note === "" ? line : `${line}${space}${style.dim(note)}`;
    }),
  ];
}

interface Row {
  readonly mark: "=" | "-" | "+" | "~";
  readonly number: string;
  readonly text: string;
  readonly note: string;
}

function toRow(step: DiffStep): Row {
  switch (step.kind) {
    case "same": {
      const text = plural(step.count, "turn is the same", "turns are the same");
      return {
        mark: "=",
        number: pairOf(rangeOf(step.a, step.count), rangeOf(step.b, step.count)),
        text,
        note: "",
      };
    }
    case "changed":
      return {
        mark: "~",
        number: pairOf(`${step.a.index}`, `${step.b.index}`),
        text: promptOf(step.a),
        note: `different ${step.differs.join(", ")}`,
      };
    case "only-a":
      return { mark: "-", number: `${step.a.index}`, text: promptOf(step.a), note: workOf(step.a) };
    case "only-b":
      return { mark: "+", number: `${step.b.index}`, text: promptOf(step.b), note: workOf(step.b) };
  }
}

/** Steps of one kind that follow one another. */
function runsOf(steps: readonly DiffStep[]): DiffStep[][] {
  const runs: DiffStep[][] = [];
  for (const step of steps) {
    const last = runs.at(-1);
    if (last?.[0]?.kind === step.kind) last.push(step);
    else runs.push([step]);
  }
  return runs;
}

const toMoreRow =
  (run: readonly DiffStep[]) =>
  (more: number): Row => ({
    mark: run[0] ? toRow(run[0]).mark : "=",
    number: "",
    text: `and ${plural(more, "more turn", "more turns")}; see all with --json`,
    note: "",
  });

type Turn = Extract<DiffStep, { kind: "only-a" }>["a"];

const promptOf = (turn: Turn): string => oneLine(turn.user) || "–";
const rangeOf = (from: number, count: number): string =>
  count === 1 ? `${from}` : `${from}–${from + count - 1}`;
const pairOf = (a: string, b: string): string => (a === b ? a : `${a} → ${b}`);

const workOf = ({ files, commands }: Turn): string =>
  [
    files.length > 0 ? plural(files.length, "file", "files") : "",
    commands.length > 0 ? plural(commands.length, "command", "commands") : "",
  ]
    .filter(Boolean)
    .join(", ");

function sideLines(
  title: string,
  { onlyA, onlyB, both }: SessionDiff["files"],
  { style, columns }: Page,
): string[] {
  const lines = [
    { mark: style.red("-"), texts: onlyA },
    { mark: style.green("+"), texts: onlyB },
    { mark: style.dim("="), texts: both },
  ].flatMap(({ mark, texts }) =>
    shorten(
      texts.map((text) => `${mark} ${cut(oneLine(text), columns - 2)}`),
      (more) => style.dim(`  and ${amount(more)} more; see all with --json`),
    ),
  );
  return lines.length === 0 ? [] : ["", style.bold(title), ...lines];
}

/** The first ones, and how many more there are; one more is not worth a line that says so. */
const shorten = <T>(items: readonly T[], toMore: (more: number) => T): readonly T[] =>
  items.length <= MOST + 1 ? items : [...items.slice(0, MOST), toMore(items.length - MOST)];

/** The one command that goes deeper, for the first turn that differs. */
function hintLines({ steps, acrossSources, a, b }: SessionDiff, isDemo: boolean, columns: number): string[] {
  const first = steps.find((step) => step.kind !== "same");
  const show = (side: DiffSide, turn: Turn): string =>
    `${shellLine`rethread show ${shortId(side.session.id)} --turn ${turn.index}`}${isDemo ? " --demo" : ""}`;
  const hint =
    first === undefined ? "" : `Read one: ${first.kind === "only-b" ? show(b, first.b) : show(a, first.a)}`;
  const how = acrossSources
    ? "The sessions are from two programs, so they are compared by prompts, answers and what the calls did, not by how each program records them."
    : "";
  return [how, hint].filter(Boolean).flatMap((text) => wrap(text, columns));
}
