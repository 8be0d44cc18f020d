/** What the session picker draws: what was typed, the sessions that match, and a preview of the one that is chosen. */
import type { Session } from "../../../model/session/session.ts";
import { shortId } from "../../../model/values/id.ts";
import type { Page } from "../../../present/page.ts";
import { shortPlaceOf, titleOf } from "../../../present/text/facts.ts";
import { amount, briefly, plural } from "../../../present/text/measure.ts";
import { cut, cutStart, cutTitle, oneLine, pad, plain, widthOf } from "../../../present/text/text.ts";

export interface PickerState {
  readonly question: string;
  readonly typed: string;
  /** Where in it the next letter goes. */
  readonly caret: number;
  /** Those that match what was typed. */
  readonly sessions: readonly Session[];
  /** Out of how many. */
  readonly total: number;
  /** The chosen one, by its place among those that match. */
  readonly at: number;
  /** The first row that is drawn. */
  readonly top: number;
  /** What was last asked in the chosen session; nothing until it is known. */
  readonly lastPrompt: string | undefined;
}

export interface PickerScreen extends Page {
  readonly rows: number;
  readonly now: Date;
}

const MOST_ROWS = 12;
/** The typed line, the line between, the preview, and the keys. */
const OTHER_LINES = 6;

export const pickerRows = (rows: number): number => Math.max(1, Math.min(MOST_ROWS, rows - OTHER_LINES - 1));

export function pickerFrame(state: PickerState, screen: PickerScreen): string {
  const { style } = screen;
  // The last column stays free: some terminals start a new line when it is written.
  const width = screen.columns - 1;
  const shown = state.sessions.slice(state.top, state.top + pickerRows(screen.rows));
  const chosen = state.sessions[state.at];
  return [
    typedLine(state, width, screen),
    ...shown.map((session) => rowLine(session, session === chosen, width, screen)),
    ...(chosen ? [] : [style.yellow(cut("No session matches. Backspace takes letters away.", width))]),
    style.dim("─".repeat(width)),
    ...(chosen ? previewLines(chosen, state.lastPrompt, width, screen) : ["", "", ""]),
    style.dim(cut("type to filter · ↑ ↓ move · Enter choose · Esc leave", width)),
  ].join("\n");
}

/** What stays on the screen once a session was chosen. */
export const pickedLine = (question: string, session: Session, { style, columns }: Page): string =>
  style.dim(cut(`${question} ${shortId(oneLine(session.id))} ${titleOf(session)}`, columns - 1));

function typedLine(state: PickerState, width: number, { style }: Page): string {
  const count =
    state.sessions.length === state.total
      ? plural(state.total, "session", "sessions")
      : `${amount(state.sessions.length)} of ${amount(state.total)}`;
  const question = cut(state.question, Math.max(8, width - 16));
  const room = width - widthOf(question) - 1;
  const typed = `${plain(state.typed.slice(0, state.caret))}▏${plain(state.typed.slice(state.caret))}`;
  const seen = cutStart(typed, room);
  const free = room - widthOf(seen) - widthOf(count);
  const rest = free > 1 ? " ".repeat(free) + style.dim(count) : "";
  return `${style.bold(question)} ${seen}${rest}`;
}

/** The columns keep their places while the list moves; what a narrow terminal cannot hold is left out. */
function rowLine(session: Session, isChosen: boolean, width: number, { style, now }: PickerScreen): string {
  const cells = [
    { text: shortId(oneLine(session.id)), size: 8, paint: style.cyan },
    ...(width >= 50 ? [{ text: briefly(session.updatedAt, now), size: 9, paint: plainly }] : []),
    ...(width >= 66 ? [{ text: session.source, size: 11, paint: style.dim }] : []),
  ];
  const place = width >= 100 ? Math.floor(width / 4) : 0;
  const used = cells.reduce((sum, { size }) => sum + size + 2, 2) + (place > 0 ? place + 2 : 0);
  const room = Math.max(10, width - used);
  const title = pad(cutTitle(titleOf(session), room), place > 0 ? room : 0);
  return [
    `${isChosen ? style.cyan("›") : " "} ${cells.map(({ text, size, paint }) => paint(pad(cut(text, size), size))).join("  ")}`,
    isChosen ? style.bold(title) : title,
    ...(place > 0 ? [style.dim(cut(shortPlaceOf(session), place))] : []),
  ].join("  ");
}

const plainly = (text: string): string => text;

function previewLines(
  session: Session,
  lastPrompt: string | undefined,
  width: number,
  { style }: Page,
): string[] {
  const { workspace, turns } = session;
  const size = plural(turns, "turn", "turns");
  const folder =
    workspace === undefined ? "no folder" : cutStart(oneLine(workspace), width - widthOf(size) - 3);
  return [
    style.bold(cutTitle(titleOf(session), width)),
    `${cut(folder, width - widthOf(size) - 3)} ${style.dim(`· ${size}`)}`,
    cut(lastPrompt === undefined ? "" : `Last prompt: ${oneLine(lastPrompt)}`, width),
  ];
}
