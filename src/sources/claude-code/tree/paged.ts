/** Numbers by row and field, in pages: a table of a million rows grows without being copied, a small one stays small. */

export interface Paged {
  /** What was never set is 0. */
  get(row: number, field: number): number;
  /** Sets the fields of a row from the first on. */
  set(row: number, ...values: number[]): void;
}

const PAGE_BITS = 8;
const IN_PAGE = (1 << PAGE_BITS) - 1;

/** Whole numbers up to two thousand million take half the room of others. */
export function createPaged(fields: number, Numbers: typeof Int32Array | typeof Float64Array): Paged {
  const pages: (Int32Array | Float64Array)[] = [];
  return {
    get: (row, field) => pages[row >> PAGE_BITS]?.[(row & IN_PAGE) * fields + field] ?? 0,
    set(row, ...values) {
      const at = row >> PAGE_BITS;
      while (pages.length <= at) pages.push(new Numbers(fields << PAGE_BITS));
      const page = pages[at] as Int32Array | Float64Array;
      let field = (row & IN_PAGE) * fields;
      for (const value of values) page[field++] = value;
    },
  };
}
