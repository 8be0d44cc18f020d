/** An answer that appears as it comes: the line that is being written as it is, each finished one as light markdown. */
import { renderMarkdown } from "./markdown.ts";
import type { Style } from "./style.ts";
import { plain, widthOf } from "./text.ts";

export interface Typing {
  add(text: string): void;
  /** The last line is finished, and something else may be written below it. */
  end(): void;
}

interface Place {
  write(text: string): void;
  readonly columns: number;
  readonly style: Style;
  /** Somebody watches; else lines are written once, when they are finished. */
  readonly isLive: boolean;
}

const FENCE = /^\s*(```|~~~)/;

export function createTyping({ write, columns, style, isLive }: Place): Typing {
  let line = "";
  let isCode = false;
  const finish = (): void => {
    if (isLive && line !== "") write(eraser(line, columns));
    const isFence = FENCE.test(line);
    const drawn =
      isCode && !isFence
        ? renderMarkdown(`\`\`\`\n${line}\n\`\`\``, columns, style)
        : renderMarkdown(line, columns, style);
    if (isFence) isCode = !isCode;
    if (!isFence) write(`${drawn.join("\n")}\n`);
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
      isCode = false;
    },
  };
}

/** Back to where the line began, with nothing left of it. */
function eraser(line: string, columns: number): string {
  const above = Math.ceil(widthOf(line) / columns) - 1;
  return `${above > 0 ? `\x1b[${above}A` : ""}\r\x1b[J`;
}
