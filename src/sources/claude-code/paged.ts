/** Numbers by row and field, in pages: a table of a million rows grows without being copied, a small one stays small. */

export interface Paged {
  get(row: number, field: number): number;
  /** Rows are begun in order; what was never set is 0. */
  set(row: number, field: number, value: number): void;
}

const PAGE_BITS = 8;
const IN_PAGE = (1 << PAGE_BITS) - 1;

export function createPaged(fields: number): Paged {
  const pages: Float64Array[] = [];
  return {
    get: (row, field) => pages[row >> PAGE_BITS]?.[(row & IN_PAGE) * fields + field] ?? 0,
    set(row, field, value) {
      const page = row >> PAGE_BITS;
      while (pages.length <= page) pages.push(new Float64Array(fields << PAGE_BITS));
      (pages[page] as Float64Array)[(row & IN_PAGE) * fields + field] = value;
    },
  };
}
