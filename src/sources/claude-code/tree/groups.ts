/** Rows by a name they share, in the order given; two lists of numbers, because there may be as many names as rows. */

export interface Groups {
  of(name: number): readonly number[];
}

/** `names` is how many there are; a row may belong to none or to several. */
export function groupRows(
  rows: readonly number[],
  names: number,
  namesOf: (row: number) => readonly number[],
): Groups {
  const ends = new Uint32Array(names + 1);
  for (const row of rows) for (const name of namesOf(row)) ends[name + 1] = (ends[name + 1] as number) + 1;
  for (let name = 0; name < names; name++)
    ends[name + 1] = (ends[name + 1] as number) + (ends[name] as number);
  // Filled from its beginning, a group's mark ends up at its end, which is where the next one began.
  const members = new Uint32Array(ends[names] as number);
  for (const row of rows) {
    for (const name of namesOf(row)) {
      members[ends[name] as number] = row;
      ends[name] = (ends[name] as number) + 1;
    }
  }
  return { of: (name) => [...members.subarray(name === 0 ? 0 : ends[name - 1], ends[name])] };
}
