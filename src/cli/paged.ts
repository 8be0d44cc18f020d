/** Output that is held back until it is known whether it fits the screen; what does not goes to a pager. */
import type { Pager } from "../app/paging.ts";
import { widthOf } from "../present/text/width.ts";

export interface Paged {
  write(text: string): void;
  /** True while a pager has the screen: nothing else may be drawn. */
  isOpen(): boolean;
  /** Shows what is held back, and waits until the pager is left. */
  end(): Promise<void>;
}

export interface PagedOptions {
  readonly rows: number;
  readonly columns: number;
  /** Loads and starts the pager; nothing where there is none. */
  open(): Promise<Pager | undefined>;
  print(text: string): void;
}

export function createPaged({ rows, columns, open, print }: PagedOptions): Paged {
  const held: string[] = [];
  let used = 0;
  let opening: Promise<void> | undefined;
  let target: ((text: string) => void) | undefined;
  let pager: Pager | undefined;
  const release = (): void => {
    for (const piece of held.splice(0)) target?.(piece);
  };
  const start = async (): Promise<void> => {
    // Whatever is wrong with a pager, the text is shown.
    pager = await open().catch(() => undefined);
    target = pager?.write ?? print;
    release();
  };
  return {
    write(text) {
      if (target) return target(text);
      held.push(text);
      if (used < rows) used += rowsOf(text, columns);
      // The prompt of the shell needs a row, too.
      if (used >= rows) opening ??= start();
    },
    isOpen: () => opening !== undefined,
    async end() {
      await opening;
      target ??= print;
      release();
      await pager?.end();
    },
  };
}

function rowsOf(text: string, columns: number): number {
  return text
    .split("\n")
    .slice(1)
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(widthOf(line) / columns)), 0);
}
