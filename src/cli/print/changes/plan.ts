/** A plan in words: what it does to which files, what it makes of a session, and the way back. */

import { type EditPlan, nounOf } from "../../../model/plan.ts";
import type { EditStats } from "../../../model/plan-facts.ts";
import type { Ledger } from "../../../model/reduce/reduction.ts";
import { adviceFor, toHint } from "../../../model/remedy.ts";
import { shellLine, toShell } from "../../../model/text/shell-words.ts";
import { formatKey, shortId } from "../../../model/values/id.ts";
import { risksOf } from "../../../present/json/plan.ts";
import { shortResumeText } from "../../../present/text/command-text.ts";
import { amount, plural } from "../../../present/text/measure.ts";
import type { Style } from "../../../present/text/style.ts";
import { cut, fold, oneLine, plain, wrap } from "../../../present/text/text.ts";
import { checkpointLine } from "../answers/checkpoints.ts";
import { diffLines } from "./diff-lines.ts";
import { fidelityLines } from "./fidelity.ts";
import { moveLines, namedSessions, pathLines } from "./move.ts";
import { adoptionLines, repairLines } from "./rescue.ts";
import { stepRows } from "./step-rows.ts";
import { fileLines } from "./workspace-files.ts";

interface Page {
  readonly columns: number;
  readonly style: Style;
  readonly isDemo: boolean;
}

export function printPlan(plan: EditPlan, page: Page): string[] {
  const { columns } = page;
  if (plan.steps.length === 0)
    return [...wrap(nothingToDo(plan), columns), ...(plan.kind === "improve" ? lossLines(plan, page) : [])];
  return [
    ...wrap(`${WOULD[plan.kind]} ${objectOf(plan)}`, columns),
    ...diffLines(plan, page),
    ...fileLines(plan, page),
    ...(namedSessions(plan, columns) ?? stepRows(plan, page)),
    ...serverLines(plan, page),
    ...moveLines(plan, columns),
    ...placeLines(plan, columns),
    ...pathLines(plan, columns),
    ...statLines(plan),
    ...ledgerLines(plan),
    ...fidelityLines(plan, page),
    ...repairLines(plan, page),
    ...adoptionLines(plan, page),
    ...redactionLines(plan),
    ...lossLines(plan, page),
    ...riskLines(plan, page),
  ];
}

/** `more` is printed between what was done and what to do next. */
/** Of sessions that were changed in one write, which is undone as one. */
export interface Together {
  readonly count: number;
  readonly isLast: boolean;
}

const undoWord = (kind: EditPlan["kind"], count: number): string =>
  kind === "undo" ? "redo" : count === 1 ? "undo" : count === 2 ? "undo both" : `undo all ${count}`;

export function printDone(
  operation: string,
  plan: EditPlan,
  page: Page,
  more: readonly string[] = [],
  { count, isLast }: Together = { count: 1, isLast: true },
): string[] {
  const { style, columns } = page;
  const demo = page.isDemo ? " --demo" : "";
  const { session, kind } = plan;
  const isNew = kind === "import" || kind === "restore" || (kind !== "undo" && session.id !== plan.from.id);
  const as = isNew ? `: ${formatKey({ ...session, id: shortId(session.id) })}` : "";
  const next: [string, string][] = [
    ...(plan.isContinuable
      ? [["continue", shortResumeText(session, page.isDemo)] satisfies [string, string]]
      : []),
    ...(isLast
      ? [
          [undoWord(kind, count), `${shellLine`rethread undo ${operation}`}${demo}`] satisfies [
            string,
            string,
          ],
        ]
      : []),
    // Until then, the secrets are still in the backup.
    ...(kind === "scrub"
      ? [
          ["confirm", `${shellLine`rethread history --confirm ${operation}`}${demo}`] satisfies [
            string,
            string,
          ],
        ]
      : []),
  ];
  const width = Math.max(8, ...next.map(([what]) => what.length));
  return [
    ...wrap(`${DONE[kind]} ${objectOf(plan)}${as}`, columns),
    ...fileLines(plan, page, true),
    ...serverLines(plan, page),
    ...moveLines(plan, columns),
    ...placeLines(plan, columns),
    ...pathLines(plan, columns),
    ...statLines(plan),
    ...ledgerLines(plan),
    ...fidelityLines(plan, page),
    ...repairLines(plan, page),
    ...adoptionLines(plan, page),
    ...redactionLines(plan),
    ...lossLines(plan, page),
    ...riskLines(plan, page),
    ...more,
    ...next.map(([what, command]) => `  ${style.dim(what.padEnd(width))}  ${style.cyan(plain(command))}`),
  ];
}

const WOULD: Record<EditPlan["kind"], string> = {
  clone: "Would clone",
  fork: "Would fork",
  rewind: "Would rewind",
  compact: "Would compact",
  checkpoint: "Would write a checkpoint of",
  move: "Would move",
  rename: "Would rename",
  delete: "Would delete",
  rescue: "Would rescue",
  scrub: "Would take the secrets out of",
  import: "Would import",
  handoff: "Would hand over",
  migrate: "Would migrate",
  restore: "Would restore",
  improve: "Would add to",
  configure: "Would configure",
  undo: "Would undo",
};
const DONE: Record<EditPlan["kind"], string> = {
  clone: "Cloned",
  fork: "Forked",
  rewind: "Rewound",
  compact: "Compacted",
  checkpoint: "Wrote a checkpoint of",
  move: "Moved",
  rename: "Renamed",
  delete: "Deleted",
  rescue: "Rescued",
  scrub: "Took the secrets out of",
  import: "Imported",
  handoff: "Handed over",
  migrate: "Migrated",
  restore: "Restored",
  improve: "Added to",
  configure: "Configured",
  undo: "Undid",
};

/** A title for people; long ones are cut. */
const quoted = (title: string): string => `"${cut(oneLine(title), 60)}"`;

const sessionOf = ({ title, from, also }: EditPlan): string =>
  also ? title : title === "" ? formatKey({ ...from, id: shortId(from.id) }) : quoted(title);

function nothingToDo(plan: EditPlan): string {
  const { kind, stats } = plan;
  if (kind === "move" && plan.move)
    return `Nothing to do: ${sessionOf(plan)} already has the folder ${plan.move.to || plan.move.from}`;
  if (kind === "rewind" && stats)
    return `Nothing to do: ${sessionOf(plan)} already ends with turn ${stats.clonedTurns - 1}${filesHint(plan)}`;
  if (kind === "compact" && stats)
    return `Nothing to do: ${sessionOf(plan)} has ${plural(stats.originalTurns, "turn", "turns")}: all of them are kept, or summarized already; --keep says how many to keep`;
  if (kind === "improve")
    return plan.losses.length > 0
      ? "Nothing can be written"
      : "Nothing to do: no session shows a line that the instructions lack";
  if (kind === "scrub") return `Nothing to do: there are no known kinds of secrets in ${sessionOf(plan)}`;
  if (kind === "import") return `Nothing to do: ${sessionOf(plan)} is already here, with the same content`;
  if (kind === "configure" && plan.server)
    return `Nothing to do: ${sessionOf(plan)} ${plan.server.entry ? "already has" : "does not have"} the MCP server ${plan.server.name}`;
  return `Nothing to do for ${sessionOf(plan)}`;
}

/** For who rewinds a second time, for the files. */
function filesHint({ withFiles = false, files = [] }: EditPlan): string {
  const left = files.filter(({ becomes }) => becomes === "unchanged").length;
  if (!withFiles && left === 0) return "";
  if (!withFiles)
    return `; --files restores ${plural(left, "file", "files")} that later turns had changed, which are gone`;
  return ", and no file is to be restored; files that later turns changed can be restored once these are back (rethread history, rethread undo)";
}

function objectOf(plan: EditPlan): string {
  const { name, kind, undoneKind, stats } = plan;
  const session = sessionOf(plan);
  if (kind === "improve") return oneLine(plan.title);
  if (kind === "undo") return `the ${undoneKind && nounOf(undoneKind)} of ${session}`;
  if (kind === "move" && plan.move)
    return `${session}${plan.move.from && ` from ${oneLine(plan.move.from)}`}${plan.move.to && ` to ${oneLine(plan.move.to)}`}`;
  if (kind === "rewind" && stats) return `${session} to turn ${stats.clonedTurns - 1}`;
  const to = kind === "handoff" ? ` to ${plan.program ?? plan.session.source}` : "";
  return name === undefined
    ? session + to
    : `${session} ${kind === "rename" ? "to" : "as"} ${quoted(name)}${to}`;
}

/** The MCP server that settings get or lose. */
function serverLines({ server }: EditPlan, { columns }: Page): string[] {
  if (!server) return [];
  const { name, entry, effect, isThere } = server;
  const { command, args } = { command: "", args: [], ...entry } as { command: string; args: string[] };
  const started = entry ? `: ${toShell([command, ...args])}` : "";
  const does = entry ? (isThere ? "changes the entry of" : "adds") : "removes";
  const said = [`${does} the MCP server ${name}${started}`, ...(entry ? [effect] : [])];
  return said.flatMap((line) => wrap(oneLine(line), columns - 2).map((each) => `  ${each}`));
}

/** The folder that a new session is about. */
const placeLines = ({ kind, workspace }: EditPlan, columns: number): string[] =>
  (kind === "clone" || kind === "fork" || kind === "handoff") && workspace !== undefined
    ? wrap(`in ${oneLine(workspace)}`, columns - 2).map((line) => `  ${line}`)
    : [];

/** Of new and shortened sessions: what they have of the old one. */
function statLines({ kind, stats, checkpoint, alreadyFits }: EditPlan): string[] {
  const written = checkpoint ? [checkpointLine(checkpoint)] : [];
  if (!stats || !["clone", "fork", "import", "handoff", "restore", "rewind", "compact"].includes(kind))
    return written;
  return [sizeLine(stats), ...(alreadyFits ? ["  the original already fits the budget"] : []), ...written];
}

/** How many turns and tokens a smaller session has. */
export function sizeLine({ originalTurns, clonedTurns, originalTokens, clonedTokens }: EditStats): string {
  // A summary may be longer than what it stands for.
  const of = (kept: number, all: number): string =>
    kept === all ? amount(all) : `${amount(kept)} ${kept > all ? "instead of" : "of"} ${amount(all)}`;
  return `  ${of(clonedTurns, originalTurns)} ${originalTurns === 1 ? "turn" : "turns"}, ${of(clonedTokens, originalTokens)} tokens of context`;
}

const LEDGER_WORDS = {
  turns: "turns",
  toolCalls: "tool calls",
  texts: "texts",
  thoughts: "thoughts",
} as const satisfies Record<keyof Ledger, string>;

/** What a smaller clone has and has not; nothing of what the original never had. */
export function ledgerLines({ ledger }: Pick<EditPlan, "ledger">): string[] {
  if (!ledger) return [];
  return (Object.keys(LEDGER_WORDS) as (keyof Ledger)[]).flatMap((what) => {
    const { kept, cut: shortened, dropped } = ledger[what];
    if (kept + shortened + dropped === 0) return [];
    const parts = [
      `${amount(kept)} kept`,
      ...(shortened > 0 ? [`${amount(shortened)} cut`] : []),
      ...(dropped > 0 ? [`${amount(dropped)} dropped`] : []),
    ];
    return [`  ${LEDGER_WORDS[what].padEnd(10)}  ${parts.join(", ")}`];
  });
}

/** The secrets that go, by kind. */
function redactionLines({ redactions = [] }: EditPlan): string[] {
  const widest = Math.max(0, ...redactions.map(({ kind }) => kind.length));
  return redactions.map(
    ({ kind, secrets, places }) =>
      `  ${kind.padEnd(widest)}  ${plural(secrets, "secret", "secrets")} in ${plural(places, "place", "places")}`,
  );
}

const lossLines = ({ losses }: EditPlan, { style, columns, isDemo }: Page): string[] =>
  losses.flatMap((loss) =>
    fold(`left out: ${oneLine(toHint(adviceFor(loss, isDemo)))}`, columns - 2).map((line) =>
      style.yellow(`  ${line}`),
    ),
  );

export const riskLines = (
  plan: Pick<EditPlan, "ignoring">,
  { style, columns }: Pick<Page, "columns" | "style">,
): string[] =>
  risksOf(plan).flatMap((risk) =>
    wrap(`risk: ${oneLine(risk)}`, columns - 2).map((line) => style.yellow(`  ${line}`)),
  );
