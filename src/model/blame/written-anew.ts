/** A file that somebody wrote anew has lines that the old one had, too, by chance: they are not those of the old one. */
import { isTelling } from "./lines.ts";

/** Who keeps less of what both could share has not changed the file, but written another one. */
const LEAST_KEPT = 0.25;
/** Of fewer lines nothing can be said. */
const LEAST_LINES = 4;

/** Takes away from `matched` what is no sign: single lines that are the same, where almost nothing else is. */
export function forgetChance(before: readonly string[], after: readonly string[], matched: Int32Array): void {
  const telling = after.map(isTelling);
  const isKept = (at: number): boolean => matched[at] !== undefined && matched[at] !== -1;
  const kept = telling.filter((tells, at) => tells && isKept(at)).length;
  const most = Math.min(telling.filter(Boolean).length, before.filter(isTelling).length);
  if (most < LEAST_LINES || kept >= most * LEAST_KEPT) return;
  for (let from = 0; from < after.length; from++) {
    if (!isKept(from)) continue;
    let to = from + 1;
    while (isKept(to) && matched[to] === (matched[to - 1] ?? -1) + 1) to++;
    if (telling.slice(from, to).filter(Boolean).length < 2) matched.fill(-1, from, to);
    from = to - 1;
  }
}
