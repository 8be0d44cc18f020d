/** Prints the lines that instruction files get, as a diff. */
import type { InstructionLines } from "../../../model/plan-facts.ts";
import type { Style } from "../../../present/text/style.ts";
import { cut, cutStart, plain, wrap } from "../../../present/text/text.ts";

export function diffLines(
  { instructions = [] }: { readonly instructions?: readonly Pick<InstructionLines, "path" | "diff">[] },
  { columns, style }: { readonly columns: number; readonly style: Style },
): string[] {
  const paint = (line: string): string =>
    line.startsWith("+") ? style.green(line) : line.startsWith("-") ? style.red(line) : style.dim(line);
  return instructions.flatMap(({ path, diff }) => [
    "",
    style.bold(cutStart(path, columns)),
    // Its first two lines name the file again.
    ...diff
      .trimEnd()
      .split("\n")
      .slice(2)
      .flatMap((line) => fitted(plain(line), columns).map(paint)),
  ]);
}

/** What is added is shown whole. */
const fitted = (line: string, columns: number): string[] =>
  line.startsWith("+") ? wrap(line.slice(1), columns - 1).map((part) => `+${part}`) : [cut(line, columns)];
