/** Prints an answer as it arrives: the current line as it is, each finished line as light Markdown. */

import type { Style } from "../../../present/text/style.ts";
import { plain, widthOf } from "../../../present/text/text.ts";
import { renderMarkdown } from "./markdown.ts";
import { isTableLine } from "./markdown-table.ts";

export interface Typing {
  add(text: string): void;
  /** The last line is finished, and something else may be written below it. */
  end(): void;
}

export interface TypingPlace {
  write(text: string): void;
  readonly columns: number;
  readonly style: Style;
  /** True for a terminal; otherwise each line is written once, when it is finished. */
  readonly isLive: boolean;
}

const FENCE = /^\s*(```|~~~)/;
/** A table is drawn when all of it is there, unless it may have left the screen by then. */
const TALLEST_TABLE = 20;

export function createTyping({ write, columns, style, isLive }: TypingPlace): Typing {
  let line = "";
  let table: string[] = [];
  let isCode = false;
  const draw = (text: string): void => write(`${renderMarkdown(text, columns, style).join("\n")}\n`);
  const drawTable = (): void => {
    if (table.length > 0) draw(table.join("\n"));
    table = [];
  };
  const finish = (): void => {
    const isFence = FENCE.test(line);
    if (!isCode && isTableLine(line) && table.length < TALLEST_TABLE) {
      table.push(line);
      if (isLive) write("\n");
    } else {
      if (isLive) write(eraser([...table, line], columns));
      drawTable();
      if (!isFence) draw(isCode ? `\`\`\`\n${line}\n\`\`\`` : line);
      if (isFence) isCode = !isCode;
    }
    line = "";
  };
  return {
    add(text) {
      for (const [number, piece] of plain(text).split("\n").entries()) {
        if (number > 0) finish();
        line += piece;
        if (isLive) write(piece);
      }
    },
    end() {
      if (line !== "") finish();
      if (table.length > 0 && isLive) write(eraser([...table, ""], columns));
      drawTable();
      isCode = false;
    },
  };
}

/** Back to where the first of these lines began, with nothing left of them. The cursor is in the last one. */
function eraser(lines: readonly string[], columns: number): string {
  const rows = lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(widthOf(line) / columns)), 0);
  return `${rows > 1 ? `\x1b[${rows - 1}A` : ""}\r\x1b[J`;
}
