/** Where the handle can stand: round numbers, as fine as the context is small. */

/** About a hundred places over the whole bar. */
export function stepFor(tokens: number): number {
  const rough = tokens / 120;
  for (let unit = 1; ; unit *= 10)
    for (const factor of [1, 2, 5]) if (unit * factor >= rough) return unit * factor;
}

export const roundTo = (value: number, step: number): number => Math.round(value / step) * step;

/** Home and End, arrows, and page keys; nothing for other keys. */
export function afterKey(
  key: string,
  value: number,
  { least, most, step }: { readonly least: number; readonly most: number; readonly step: number },
): number | undefined {
  const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 }[key];
  if (by !== undefined) {
    const next = roundTo(value, step) + by * step;
    return Math.min(most, Math.max(least, next));
  }
  if (key === "Home") return least;
  return key === "End" ? most : undefined;
}

/** How many of the last turns fit into a budget, one at least. */
export function turnsWithin(turns: readonly { readonly tokens: number }[], budget: number): number {
  let [count, sum] = [0, 0];
  for (const { tokens } of turns.toReversed()) {
    sum += tokens;
    if (sum > budget) break;
    count++;
  }
  return Math.max(1, count);
}
