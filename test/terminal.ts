/** What a terminal shows in the end of what was written to it; only the commands that we and readline use. */
import { widthOf } from "../src/present/text/width.ts";

const ESC = "\x1b";
const PIECES = new RegExp(`${ESC}\\[([?0-9;]*)([A-Za-z])|\\r|\\n|[^${ESC}\\r\\n]`, "gu");

/** Its rows, without the blanks at their ends. */
export function seenOn(columns: number, written: string): string[] {
  const rows: string[][] = [[]];
  let [x, y] = [0, 0];
  const row = (): string[] => {
    while (rows.length <= y) rows.push([]);
    return rows[y] ?? [];
  };
  const obey = (command: string, number: number): void => {
    if (command === "A") y = Math.max(0, y - Math.max(1, number));
    if (command === "B") y += Math.max(1, number);
    if (command === "C") x += Math.max(1, number);
    if (command === "D") x = Math.max(0, x - Math.max(1, number));
    if (command === "G") x = Math.max(0, number - 1);
    if (command === "J" || command === "K") row().splice(x);
    if (command === "J") rows.splice(y + 1);
  };
  for (const [piece, number = "", command] of written.matchAll(PIECES)) {
    if (command !== undefined) obey(command, Number.parseInt(number, 10) || 0);
    else if (piece === "\r") x = 0;
    else if (piece === "\n") {
      y += 1;
      row();
    } else {
      const width = widthOf(piece);
      if (x + width > columns) {
        x = 0;
        y += 1;
      }
      const cells = row();
      while (cells.length < x + width) cells.push(" ");
      cells[x] = piece;
      if (width === 2) cells[x + 1] = "";
      x += width;
    }
  }
  return rows.map((cells) => cells.join("").trimEnd());
}
