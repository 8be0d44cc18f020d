/** The output of a command: data to stdout, notes and progress to stderr. */
import type { Config } from "../app/config.ts";
import type { Call, CallProgress } from "../app/contract.ts";
import { toShell } from "../model/text/shell-words.ts";
import { jsonDocument, jsonLine } from "../present/json/json.ts";
import type { Page } from "../present/page.ts";
import { amount, bytes } from "../present/text/measure.ts";
import { createStyle, type Style } from "../present/text/style.ts";
import { fold, inert, plain, widthOf } from "../present/text/text.ts";
import type { Paged } from "./paged.ts";

export interface Output {
  readonly style: Style;
  readonly columns: number;
  /** The line that was typed, to name it again. */
  readonly commandLine: string;
  write(text: string): void;
  line(text?: string): void;
  /** One object; `schemaVersion` is added, and as `notices` the remarks made before it, for programs that read no stderr. */
  json(fields: Readonly<Record<string, unknown>>): void;
  jsonLine(value: unknown): void;
  /** A remark on stderr, so that it never mixes with data. Nothing in it is obeyed by a terminal. */
  note(text: string): void;
  /** The same for a line that is drawn already. */
  drawn(line: string): void;
  /** One sentence and one next step, on stderr, with drawn rows between them; nothing in them is obeyed either. */
  failure(message: string, code: string, hint: string, rows?: readonly string[]): void;
  /** The page of remarks: stderr may be a terminal where stdout is none. */
  readonly remarks: Page;
  /** Makes a call that may be slow, with a line on stderr once it takes long. */
  progress<T>(what: string, work: (call: Pick<Call, "onProgress">) => Promise<T>): Promise<T>;
}

export const SCHEMA_VERSION = 1;
/** No progress is shown for work that is quicker than this. */
const PATIENCE_MS = 500;
const REDRAW_MS = 80;

/** With `paged`, data is shown there, and remarks wait until its pager is left. */
export function createOutput(
  config: Pick<Config, "color" | "columns" | "remarkColumns" | "terminal">,
  paged?: Pick<Paged, "write" | "isOpen">,
  words: readonly string[] = [],
): Output & { /** Says what had to wait. */ release(): void } {
  const style = createStyle(config.color);
  // stdout decides about colors, but a remark may go to a file while stdout is a terminal.
  const remarkStyle = createStyle(config.color && config.terminal.stderr);
  /** A terminal breaks lines within words; a file or a program gets each as one. */
  const folded = (text: string): string[] =>
    config.terminal.stderr ? text.split("\n").flatMap((line) => fold(line, config.remarkColumns)) : [text];
  const waiting: string[] = [];
  const notices: string[] = [];
  const remark = (text: string): void => {
    if (paged?.isOpen()) waiting.push(text);
    else process.stderr.write(`${text}\n`);
  };
  const write = paged?.write ?? ((text: string): void => void process.stdout.write(text));
  return {
    style,
    columns: config.columns,
    commandLine: toShell(["rethread", ...words]),
    write,
    line: (text = "") => write(`${inert(text)}\n`),
    json: (fields) =>
      write(
        jsonDocument({ schemaVersion: SCHEMA_VERSION, ...(notices.length > 0 && { notices }), ...fields }),
      ),
    jsonLine: (value) => write(`${jsonLine(value)}\n`),
    note(text) {
      notices.push(plain(text));
      remark(folded(plain(text)).map(remarkStyle.dim).join("\n"));
    },
    drawn: (line) => remark(inert(line)),
    failure: (message, code, hint, rows = []) =>
      remark(
        [
          ...folded(`error: ${plain(message)} (${code})`).map((line) =>
            line
              .replace(/^error:/, remarkStyle.red)
              .replace(/\([a-z-]+\)$/, (last) => (last === `(${code})` ? remarkStyle.dim(last) : last)),
          ),
          ...rows.map(inert),
          ...folded(plain(hint)),
        ].join("\n"),
      ),
    remarks: { style: remarkStyle, columns: config.remarkColumns },
    release() {
      for (const text of waiting.splice(0)) process.stderr.write(`${text}\n`);
    },
    async progress(what, work) {
      if (!config.terminal.stderr) return work({});
      const line = createProgressLine(what, config.remarkColumns, () => paged?.isOpen() === true);
      try {
        return await work({ onProgress: line.update });
      } finally {
        line.clear();
      }
    },
  };
}

/** Drawn from the callback rather than a timer: reading is so busy that timers would hardly get a turn. */
function createProgressLine(
  what: string,
  columns: number,
  isHidden: () => boolean,
): { update(progress: CallProgress): void; clear(): void } {
  const began = performance.now();
  let drawn = 0;
  return {
    update(step) {
      const now = performance.now();
      if (now - began < PATIENCE_MS || now - drawn < REDRAW_MS || step.total === 0 || isHidden()) return;
      drawn = now;
      process.stderr.write(`\r\x1b[K${printProgress(what, step, now - began, columns)}`);
    },
    clear() {
      if (drawn > 0 && !isHidden()) process.stderr.write("\r\x1b[K");
    },
  };
}

interface ProgressState {
  readonly done: number;
  readonly total: number;
  /** Sessions out of how many, when `done` and `total` are their bytes. */
  readonly sessions?: { readonly done: number; readonly total: number };
}

const BAR = { wide: 24, narrow: 12 };
/** Before this, the pace is not known well enough. */
const PACE_MS = 400;

/** What does not fit is left out, the least important first. */
export function printProgress(what: string, step: ProgressState, elapsedMs: number, columns: number): string {
  const share = step.total === 0 ? 0 : Math.min(1, step.done / step.total);
  const size = columns < 100 ? BAR.narrow : BAR.wide;
  const filled = Math.round(share * size);
  const bar = "█".repeat(filled) + "░".repeat(size - filled);
  const more: string[] = [];
  if (step.sessions) more.push(`${amount(step.sessions.done)} of ${amount(step.sessions.total)} sessions`);
  if (elapsedMs >= PACE_MS && step.done > 0) {
    if (step.sessions) more.push(`${bytes((step.done / elapsedMs) * 1000)}/s`);
    more.push(`${duration((elapsedMs / step.done) * (step.total - step.done))} left`);
  }
  let line = `${what} ${bar} ${Math.floor(share * 100)}%`;
  for (const fact of more) if (widthOf(line) + 2 + widthOf(fact) < columns) line += `  ${fact}`;
  return line.slice(0, columns - 1);
}

function duration(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 90) return `${seconds} s`;
  return seconds < 90 * 60 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}
