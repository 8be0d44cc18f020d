/** The history section of a summary: every request in order with its outcome, shorter the older it is. */
import { clip } from "./summary.ts";
import type { TurnFacts } from "./turn-facts.ts";

/**
 * How much of a turn is written: everything, the request with its outcome, the request only, or just that there was
 * one.
 */
type Detail = 3 | 2 | 1 | 0;

/** Turns at the end that keep their detail longest. */
const RECENT = 5;

export function historyLines(facts: readonly TurnFacts[], room: number): string[] {
  const details = facts.map((): Detail => 3);
  const told = (): string[] => tellAll(facts, details);
  const fits = (lines: readonly string[]): boolean => lines.join("\n").length <= room;
  // The first request says what it is all about, so it is the last to go.
  const old = facts.map((_, at) => at).filter((at) => at > 0 && at < facts.length - RECENT);
  const late = facts.map((_, at) => at).filter((at) => at === 0 || at >= facts.length - RECENT);
  for (const group of [old, late])
    for (const detail of [2, 1, 0] as const) {
      if (fits(told())) return told();
      // Halves of the group, then all of it: one turn at a time would take long over thousands.
      for (const share of [0.5, 1]) {
        for (const at of group.slice(0, Math.ceil(group.length * share))) details[at] = detail;
        if (detail > 0 && fits(told())) return told();
      }
      if (detail === 0) giveBack(group, details, (lines) => fits(lines), facts);
    }
  return told();
}

/** As many requests as there is room for. */
function giveBack(
  group: readonly number[],
  details: Detail[],
  fits: (lines: readonly string[]) => boolean,
  facts: readonly TurnFacts[],
): void {
  const tell = (count: number): void => {
    const told = new Set(pick(group, count));
    for (const at of group) details[at] = told.has(at) ? 1 : 0;
  };
  let [few, many] = [0, group.length];
  while (few < many) {
    const half = Math.ceil((few + many) / 2);
    tell(half);
    if (fits(tellAll(facts, details))) few = half;
    else many = half - 1;
  }
  tell(few);
}

/** The latest ones, and as many from all over what came before: so the way that was gone can be seen. */
function pick(group: readonly number[], count: number): number[] {
  const late = Math.ceil(count / 2);
  const before = group.slice(0, group.length - late);
  const spread = Array.from(
    { length: Math.min(count - late, before.length) },
    (_, number) => before[Math.floor(((number + 0.5) * before.length) / (count - late))] as number,
  );
  return [...spread, ...group.slice(group.length - late)];
}

function tellAll(facts: readonly TurnFacts[], details: readonly Detail[]): string[] {
  const lines: string[] = [];
  let skipped = 0;
  const tellSkipped = (): void => {
    if (skipped > 0) lines.push(`… ${skipped} more ${skipped === 1 ? "request" : "requests"} …`);
    skipped = 0;
  };
  for (const [at, turn] of facts.entries()) {
    const detail = details[at] ?? 0;
    if (detail === 0) skipped++;
    else {
      tellSkipped();
      lines.push(...tellTurn(turn, detail));
    }
  }
  tellSkipped();
  return lines;
}

function tellTurn({ index, request, outcome, deeds }: TurnFacts, detail: Detail): string[] {
  const asked =
    request === ""
      ? "(nothing in words)"
      : `"${clip(request, detail === 3 ? 400 : detail === 2 ? 200 : 110)}"`;
  const head = `${index}. The user: ${asked}`;
  if (detail === 1) return [head];
  const answered = outcome === "" ? [] : [`   - The agent: "${clip(outcome, detail === 3 ? 320 : 140)}"`];
  if (detail === 2) return [head, ...answered];
  const changed = [
    ...new Set(deeds.flatMap((deed) => (deed.kind === "touch" && deed.did !== "read" ? [deed.path] : []))),
  ];
  const runs = deeds.flatMap((deed) =>
    deed.kind === "run" ? [`\`${clip(deed.what, 70)}\`${deed.ok ? "" : " (failed)"}`] : [],
  );
  return [
    head,
    ...(changed.length > 0 ? [`   - Changed ${clip(changed.join(", "), 200)}`] : []),
    ...(runs.length > 0
      ? [`   - Ran ${runs.slice(-3).join(", ")}${runs.length > 3 ? ` and ${runs.length - 3} more` : ""}`]
      : []),
    ...answered,
  ];
}
